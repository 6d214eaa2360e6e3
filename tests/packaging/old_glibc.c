/* packaging/old_glibc.c beside the system's own functions: under other names, with what it chooses from in the open, and where the clock
 * that can be set is set forward by an hour whenever it has been read. */
#define _GNU_SOURCE
#include <time.h>
__attribute__((unused)) static int read_before_a_jump(clockid_t clock, struct timespec *at) {
  const int answer = clock_gettime(clock, at);
  if (clock == CLOCK_REALTIME) at->tv_sec -= 3600;
  return answer;
}
#define clock_gettime read_before_a_jump
#define gettid old_gettid
#define arc4random old_arc4random
#define _dl_find_object old_dl_find_object
#define pthread_cond_clockwait old_pthread_cond_clockwait
#define pthread_mutex_clocklock old_pthread_mutex_clocklock
#define __libc_single_threaded old_libc_single_threaded
#include "packaging/old_glibc.c"

int old_wait_by_bit(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
  return wait_by_bit(condition, mutex, clock, until);
}
