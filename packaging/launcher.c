/* bin/leitong of the portable archive: starts the real program with the loader and the libraries that lie beside it, so
 * that nothing has to be installed, not even a C library. Linked statically for the same reason. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* Below the folder of the archive. */
static const char kLoader[] = "lib/ld-linux-x86-64.so.2", kLibraries[] = "lib", kProgram[] = "lib/leitong",
                  kData[] = "share/leitong";

static char *below(const char *root, const char *name) {
  char *path = malloc(strlen(root) + strlen(name) + 2);
  if (path != NULL) sprintf(path, "%s/%s", root, name);
  return path;
}

int main(int count, char **arguments) {
  /* What the kernel started, by links and the PATH too; works without /proc. */
  const char *self = (const char *)getauxval(AT_EXECFN);
  char root[PATH_MAX];
  if (self == NULL || realpath(self, root) == NULL) {
    perror("leitong: can't find its own place");
    return 5;
  }
  for (int up = 0; up < 2; ++up) { /* ROOT/bin/leitong */
    char *slash = strrchr(root, '/');
    if (slash != NULL) *slash = '\0';
  }
  char *data = below(root, kData);
  char **all = calloc((size_t)count + 8, sizeof *all);
  if (data == NULL || all == NULL) return 5;
  int n = 0;
  all[n++] = below(root, kLoader);
  all[n++] = "--argv0";
  all[n++] = count > 0 ? arguments[0] : "leitong";
  all[n++] = "--inhibit-cache";
  all[n++] = "--library-path";
  all[n++] = below(root, kLibraries);
  all[n++] = below(root, kProgram);
  for (int i = 1; i < count; ++i) all[n++] = arguments[i];
  setenv("LEITONG_DATA", data, 0);
  execv(all[0], all);
  perror(all[0]);
  return 5;
}
