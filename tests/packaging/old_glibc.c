/* packaging/old_glibc.c beside the system's own functions: under other names, and with what it chooses from in the open. */
#define gettid old_gettid
#define arc4random old_arc4random
#define _dl_find_object old_dl_find_object
#define pthread_cond_clockwait old_pthread_cond_clockwait
#define __libc_single_threaded old_libc_single_threaded
#include "packaging/old_glibc.c"

int old_wait_by_bit(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
  return wait_by_bit(condition, mutex, clock, until);
}
