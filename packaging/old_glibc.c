/* What Debian 12's static libraries ask of glibc and glibc 2.28 does not have: linked into programs and modules for any Linux
 * (scripts/link-portable). tests/packaging/old_glibc_test.cpp holds each to what newer versions do. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* 2.32: programs of several threads say 0, always. */
char __libc_single_threaded = 0;

/* 2.30 */
pid_t gettid(void) { return (pid_t)syscall(SYS_gettid); }

/* 2.36: random bits that nobody can foresee. */
unsigned arc4random(void) {
  unsigned bits;
  while (syscall(SYS_getrandom, &bits, sizeof bits, 0) != sizeof bits) {
  }
  return bits;
}

/* 2.35: the object that the code at `pc` is of, for the unwinder. */
struct search {
  ElfW(Addr) pc;
  struct dl_find_object *found;
};

static int look_at(struct dl_phdr_info *info, size_t size, void *argument) {
  (void)size;
  const struct search *const search = argument;
  ElfW(Addr) begin = ~(ElfW(Addr))0, end = 0;
  void *frames = NULL;
  int is_here = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) *const part = &info->dlpi_phdr[i];
    const ElfW(Addr) at = info->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_GNU_EH_FRAME) frames = (void *)at;
    if (part->p_type != PT_LOAD) continue;
    if (at < begin) begin = at;
    if (at + part->p_memsz > end) end = at + part->p_memsz;
    if (search->pc >= at && search->pc < at + part->p_memsz) is_here = 1;
  }
  if (!is_here || frames == NULL) return 0;
  memset(search->found, 0, sizeof *search->found);
  search->found->dlfo_map_start = (void *)begin;
  search->found->dlfo_map_end = (void *)end;
  search->found->dlfo_eh_frame = frames;
  return 1;
}

int _dl_find_object(void *pc, struct dl_find_object *found) {
  struct search search = {(ElfW(Addr))pc, found};
  return dl_iterate_phdr(look_at, &search) != 0 ? 0 : -1;
}

/* 2.30: what std::condition_variable waits with, by a clock that nobody sets. Where the system's glibc has it, it is called. In 2.28 and
 * 2.29 the variable itself says by which clock it waits, in a bit, and a wait looks at the bit once, before it lets the mutex go. So the
 * bit is set here, under that mutex. (A wait by the difference to CLOCK_REALTIME would end an hour late whenever that clock is set back
 * by one.) Nothing that is linked waits for one variable both by this function and by pthread_cond_timedwait itself. */
typedef int clock_wait(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);

static int wait_by_bit(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
  enum { kMonotonic = 2 }; /* of __wrefs, since 2.25 */
  if (clock == CLOCK_MONOTONIC) {
    __atomic_fetch_or(&condition->__data.__wrefs, kMonotonic, __ATOMIC_RELAXED);
  } else if (clock == CLOCK_REALTIME) {
    __atomic_fetch_and(&condition->__data.__wrefs, ~(unsigned)kMonotonic, __ATOMIC_RELAXED);
  } else {
    return EINVAL;
  }
  return pthread_cond_timedwait(condition, mutex, until);
}

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
  static _Atomic(clock_wait *) chosen;
  clock_wait *wait = atomic_load_explicit(&chosen, memory_order_relaxed);
  if (wait == NULL) {
    *(void **)&wait = dlsym(RTLD_DEFAULT, "pthread_cond_clockwait");
    if (wait == NULL || wait == pthread_cond_clockwait) wait = wait_by_bit;
    atomic_store_explicit(&chosen, wait, memory_order_relaxed);
  }
  return wait(condition, mutex, clock, until);
}

/* 2.30: Thrift's library has a function that calls it. Asks again every millisecond. */
int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
  for (;;) {
    const int answer = pthread_mutex_trylock(mutex);
    if (answer != EBUSY) return answer;
    struct timespec now;
    if (clock_gettime(clock, &now) != 0) return EINVAL;
    if (now.tv_sec > until->tv_sec || (now.tv_sec == until->tv_sec && now.tv_nsec >= until->tv_nsec)) return ETIMEDOUT;
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
}
