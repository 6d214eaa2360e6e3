#!/usr/bin/env bash
# usage: examples/stages.sh [--slurm] WORK OUTPUT PARTS INPUT..
#
# Near-duplicates by a loop over the stages of a run in parts (docs/spread.md): here, with as many parts at a time as there are
# cores (JOBS), or with --slurm as array jobs, each stage after the one before. WORK is a folder that all machines see. Run it
# again after a failure: what was done is not done again. LEITONG is the command.
set -euo pipefail

slurm=''
[ "${1:-}" != --slurm ] || { slurm=1; shift; }
[ $# -ge 4 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
work=$1 output=$2 parts=$3
shift 3
export LEITONG=${LEITONG:-leitong} WORK=$work

"$LEITONG" part plan --work "$work" --output "$output" --parts "$parts" "$@"
after=''
while read -r stage count; do
  if [ -n "$slurm" ]; then
    # shellcheck disable=SC2016  # the job expands the number of its part
    job=$(STAGE=$stage sbatch --parsable --export=ALL --job-name="leitong-$stage" --array="0-$((count - 1))" \
      ${after:+--dependency="afterok:$after" --kill-on-invalid-dep=yes} \
      --wrap '"$LEITONG" part "$STAGE" --work "$WORK" --part "$SLURM_ARRAY_TASK_ID" --threads 1')
    after=${job%%;*}
    echo "$stage: job $after, $count parts"
  else
    seq 0 "$((count - 1))" | xargs -P "${JOBS:-$(nproc)}" -I{} "$LEITONG" part "$stage" --work "$work" --part {} --threads 1 -q
  fi
done < <("$LEITONG" part list --work "$work")
