"""The stages of leitong.spark without Spark, which read and write named files: for a shell loop, the array jobs of a batch system, or tasks of
a cluster (``leitong.ray.run_stages``, ``leitong.datatrove.RunStage``).

    leitong.stages.plan(["crawl/"], work="work", output="out", parts=64)
    for stage, parts in leitong.stages.listed("work"):
        for part in range(parts):  # at the same time, on any machines
            leitong.stages.run(stage, "work", part)

``python -m leitong.stages --help`` lists the stages, docs/spark.md explains them."""
from ._run import listed, plan, run

__all__ = ["listed", "plan", "run"]
