/* leitong/bin/leitong of a wheel for any Linux: the command is in the Python module in the folder above, of which nothing but the command is
   used here. What the module asks of an interpreter is defined beside this (scripts/link-wheel-command), and never called. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

int main(int argc, char** argv) {
  char path[PATH_MAX + sizeof "/" LEITONG_MODULE];
  const ssize_t size = readlink("/proc/self/exe", path, PATH_MAX);
  if (size >= 0) {
    path[size] = '\0';
  } else { /* A root without /proc: by the name that it was started with. */
    snprintf(path, PATH_MAX, "%s", (const char*)getauxval(AT_EXECFN));
  }
  for (int i = 0; i < 2; ++i) {
    char* const slash = strrchr(path, '/');
    if (slash != NULL) *slash = '\0';
  }
  strcat(path, "/" LEITONG_MODULE);
  void* const module = dlopen(path, RTLD_NOW);
  int (*command)(int, char**) = NULL;
  if (module != NULL) *(void**)&command = dlsym(module, "leitong_command");
  if (command == NULL) {
    fprintf(stderr, "leitong: this installation is damaged: %s; install the package again\n", dlerror());
    return 5; /* an error of the system (apps/cli/exit_codes.hpp) */
  }
  return command(argc, argv);
}
