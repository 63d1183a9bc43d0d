// Functions of libc that allocate while they hold a lock of libc's, and often
// call back. usage:
//
//   libc_locks first LIBRARY
//     Each is where a thread of its own allocates first of all.
//   libc_locks forks NUMBER LIBRARY [NAME]
//     While threads are in the function (NAME or each in turn), others fork
//     NUMBER times, two at a time. A child allocates and ends, or runs another
//     program.
//
// LIBRARY is this file compiled with -DLIBRARY. What hangs for 20 seconds is
// named, with status 1.

#define _GNU_SOURCE
#ifdef LIBRARY

__thread int ThreadLocal[1000];
int *function(void) { return ThreadLocal; }

#else

#include <aio.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <grp.h>
#include <iconv.h>
#include <ifaddrs.h>
#include <libintl.h>
#include <link.h>
#include <locale.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

enum { PatienceMs = 20000 };

static const char *Library;
static atomic_bool Stop;

__attribute__((noinline)) static void allocate(size_t Size) {
  char *volatile P = malloc(Size);
  P[0] = 1;
  free(P);
}

//===-- Threads -----------------------------------------------------------===//

static void getattr(void) {
  pthread_attr_t Attributes;
  if (pthread_getattr_np(pthread_self(), &Attributes) == 0)
    pthread_attr_destroy(&Attributes);
}
static void *allocateInThread(void *Unused) {
  allocate(100);
  return Unused;
}
static void create(void) {
  pthread_t Thread;
  if (pthread_create(&Thread, NULL, allocateInThread, NULL) == 0)
    pthread_join(Thread, NULL);
}
static int allocateInC11Thread(void *Unused) {
  (void)Unused;
  allocate(100);
  return 0;
}
static void createC11(void) {
  thrd_t Thread;
  if (thrd_create(&Thread, allocateInC11Thread, NULL) == thrd_success)
    thrd_join(Thread, NULL);
}
static void setAffinity(void) {
  cpu_set_t Cpus;
  pthread_attr_t Attributes;
  CPU_ZERO(&Cpus);
  CPU_SET(0, &Cpus);
  pthread_attr_init(&Attributes);
  pthread_attr_setaffinity_np(&Attributes, sizeof(Cpus), &Cpus);
  pthread_attr_destroy(&Attributes);
}
static void setSpecific(void) {
  // Beyond the first ones libc allocates.
  pthread_key_t Keys[64];
  int Count = 0;
  while (Count < 64 && pthread_key_create(&Keys[Count], NULL) == 0)
    pthread_setspecific(Keys[Count++], Keys);
  while (Count > 0)
    pthread_key_delete(Keys[--Count]);
}
static void allocateOnce(void) { allocate(100); }
static void once(void) {
  pthread_once_t Control = PTHREAD_ONCE_INIT;
  pthread_once(&Control, allocateOnce);
}
static void openSemaphore(void) {
  char Name[64];
  snprintf(Name, sizeof(Name), "/libc-locks-%d", getpid());
  sem_t *S = sem_open(Name, O_CREAT, 0600, 1);
  if (S != SEM_FAILED)
    sem_close(S);
  sem_unlink(Name);
}
static void onTimer(union sigval Unused) { (void)Unused; }
static void createTimer(void) {
  struct sigevent Event = {0};
  Event.sigev_notify = SIGEV_THREAD;
  Event.sigev_notify_function = onTimer;
  timer_t Timer;
  if (timer_create(CLOCK_MONOTONIC, &Event, &Timer) == 0)
    timer_delete(Timer);
}

//===-- Handlers ----------------------------------------------------------===//

static void nothing(void) {}
static void nothingOnExit(int Status, void *Unused) {
  (void)Status;
  (void)Unused;
}
static void atExit(void) {
  for (int I = 0; I < 33; ++I)
    atexit(nothing);
}
static void onExit(void) {
  for (int I = 0; I < 33; ++I)
    on_exit(nothingOnExit, NULL);
}
static void atQuickExit(void) {
  for (int I = 0; I < 33; ++I)
    at_quick_exit(nothing);
}
static void atFork(void) {
  static atomic_int Times;
  if (atomic_fetch_add(&Times, 1) < 100)
    pthread_atfork(allocateOnce, allocateOnce, allocateOnce);
}

//===-- The loader --------------------------------------------------------===//

#ifndef STATIC
static void openLibrary(void) {
  void *Handle = dlopen(Library, RTLD_NOW);
  if (!Handle)
    abort();
  int *(*Function)(void) = (int *(*)(void))dlsym(Handle, "function");
  *Function() = 1;
  dlclose(Handle);
}
static void failToOpen(void) {
  dlopen("/nonexistent/library.so", RTLD_NOW);
  dlerror();
}
static void failToFind(void) {
  dlsym(RTLD_DEFAULT, "no_such_function");
  dlerror();
}
#endif
static int allocateForObject(struct dl_phdr_info *Info, size_t Size,
                             void *Unused) {
  (void)Info;
  (void)Unused;
  allocate(Size);
  return 0;
}
static void iterate(void) { dl_iterate_phdr(allocateForObject, NULL); }
static void traceBack(void) {
  void *Calls[20];
  free(backtrace_symbols(Calls, backtrace(Calls, 20)));
}

//===-- Languages, time, environment --------------------------------------===//

static void setLocale(void) {
  setlocale(LC_ALL, "C.UTF-8");
  setlocale(LC_ALL, "C");
}
static void newLocale(void) {
  locale_t New = newlocale(LC_ALL_MASK, "C.UTF-8", NULL);
  if (New)
    freelocale(New);
}
static void bindDomain(void) {
  static atomic_int Times;
  char Domain[32];
  snprintf(Domain, sizeof(Domain), "domain%d", atomic_fetch_add(&Times, 1));
  bindtextdomain(Domain, "/nonexistent");
  textdomain(Domain);
  gettext("a message");
}
static void openConversion(void) {
  // Built in, and loaded.
  const char *Names[] = {"UTF-16", "ISO-8859-2"};
  for (int I = 0; I < 2; ++I) {
    iconv_t Conversion = iconv_open("UTF-8", Names[I]);
    if (Conversion != (iconv_t)-1)
      iconv_close(Conversion);
  }
}
static void setZone(void) {
  setenv("TZ", "ABC3DEF", 1);
  tzset();
  setenv("TZ", "Europe/Berlin", 1);
  time_t Now = time(NULL);
  localtime(&Now);
  struct tm Parts;
  localtime_r(&Now, &Parts);
  mktime(&Parts);
}
static void setEnvironment(void) {
  char Name[32];
  static atomic_int Times;
  snprintf(Name, sizeof(Name), "NAME%d", atomic_fetch_add(&Times, 1) % 1000);
  setenv(Name, "a value", 1);
  if (Name[strlen(Name) - 1] == '7')
    unsetenv(Name);
}
static void describeError(void) {
  strerror(12345);
  strsignal(12345);
}

//===-- Names -------------------------------------------------------------===//

static void findHost(void) {
  struct addrinfo *List = NULL;
  getifaddrs((struct ifaddrs **)&List);
  if (List)
    freeifaddrs((struct ifaddrs *)List);
#ifndef STATIC
  List = NULL;
  if (getaddrinfo("localhost", "80", NULL, &List) == 0)
    freeaddrinfo(List);
  gethostbyname("localhost");
#endif
}
#ifndef STATIC
static void findUser(void) {
  getpwnam("root");
  getgrnam("root");
  getservbyname("http", "tcp");
}
#endif

//===-- Files -------------------------------------------------------------===//

static void openFile(void) {
  char *Line = NULL;
  size_t Size = 0;
  FILE *F = fopen("/proc/self/stat", "r");
  if (getline(&Line, &Size, F) < 0)
    abort();
  free(Line);
  fclose(F);
  fclose(open_memstream(&Line, &Size));
  free(Line);
}
static void printWide(void) {
  FILE *F = fopen("/dev/null", "w");
  fprintf(F, "%*d %.*f %ls\n", 100000, 1, 5000, 1.5, L"wide");
  fclose(F);
  F = fopen("/dev/null", "w");
  fwprintf(F, L"%*d %s\n", 100000, 1, "narrow");
  fclose(F);
  // To a stream that all share, without a buffer: under its lock.
  fprintf(stderr, "%s", "");
  char *Text;
  if (asprintf(&Text, "%*d", 100000, 1) > 0)
    free(Text);
}
static ssize_t writeNothing(void *Unused, const char *Bytes, size_t Size) {
  (void)Unused;
  (void)Bytes;
  for (size_t I = 1; I < 20; ++I)
    allocate(I * 10);
  return (ssize_t)Size;
}
static void flushAll(void) {
  cookie_io_functions_t Calls = {0};
  Calls.write = writeNothing;
  FILE *F = fopencookie(NULL, "w", Calls);
  for (int I = 0; I < 300; ++I) {
    fputs("text", F);
    fflush(NULL);
  }
  fclose(F);
}
static void openDirectory(void) {
  DIR *Directory = opendir("/");
  while (readdir(Directory)) {
  }
  closedir(Directory);
}
static int visitFile(const char *Path, const struct stat *Status, int Type,
                     struct FTW *Where) {
  (void)Path;
  (void)Status;
  (void)Type;
  return Where->level > 0;
}
static void searchFiles(void) {
  glob_t Found;
  if (glob("/*", 0, NULL, &Found) == 0)
    globfree(&Found);
  nftw("/usr", visitFile, 4, FTW_PHYS);
}
static void readAsynchronously(void) {
  char Buffer[8];
  struct aiocb Request = {0};
  const struct aiocb *List[] = {&Request};
  Request.aio_fildes = open("/proc/self/stat", O_RDONLY);
  Request.aio_buf = Buffer;
  Request.aio_nbytes = sizeof(Buffer);
  if (aio_read(&Request) == 0)
    while (aio_error(&Request) == EINPROGRESS)
      aio_suspend(List, 1, NULL);
  close(Request.aio_fildes);
}

//===-- Searching, sorting ------------------------------------------------===//

static int compare(const void *A, const void *B) {
  allocate(10);
  return *(const char *)A - *(const char *)B;
}
static void sortLarge(void) {
  static _Thread_local char Elements[20][1000];
  for (int I = 0; I < 20; ++I)
    Elements[I][0] = (char)(I * 7 % 20);
  qsort(Elements, 20, sizeof(Elements[0]), compare);
}
static void compilePattern(void) {
  regex_t Pattern;
  regcomp(&Pattern, "^(a|b)*c[[:alpha:]]+$", REG_EXTENDED);
  regexec(&Pattern, "ababcde", 0, NULL, 0);
  regfree(&Pattern);
}
static void searchTree(void) {
  void *Root = NULL;
  tsearch("key", &Root, compare);
  tdelete("key", &Root, compare);
}

static const struct Function {
  const char *Name;
  void (*Call)(void);
} Functions[] = {
    {"pthread_getattr_np", getattr},
    {"pthread_create", create},
    {"thrd_create", createC11},
    {"pthread_attr_setaffinity_np", setAffinity},
    {"pthread_setspecific", setSpecific},
    {"pthread_once", once},
    {"sem_open", openSemaphore},
    {"timer_create", createTimer},
    {"atexit", atExit},
    {"on_exit", onExit},
    {"at_quick_exit", atQuickExit},
    {"pthread_atfork", atFork},
#ifndef STATIC
    {"dlopen", openLibrary},
    {"dlopen in vain", failToOpen},
    {"dlerror", failToFind},
    {"getpwnam", findUser},
#endif
    {"dl_iterate_phdr", iterate},
    {"backtrace", traceBack},
    {"setlocale", setLocale},
    {"newlocale", newLocale},
    {"bindtextdomain", bindDomain},
    {"iconv_open", openConversion},
    {"tzset", setZone},
    {"setenv", setEnvironment},
    {"strerror", describeError},
    {"getaddrinfo", findHost},
    {"fopen", openFile},
    {"fprintf", printWide},
    {"fflush", flushAll},
    {"opendir", openDirectory},
    {"glob", searchFiles},
    {"aio_read", readAsynchronously},
    {"qsort", sortLarge},
    {"regcomp", compilePattern},
    {"tsearch", searchTree},
};
enum { NumFunctions = sizeof(Functions) / sizeof(Functions[0]) };

//===-- Runs --------------------------------------------------------------===//

// Whatever is locked.
static _Noreturn void fail(const char *What, const char *Name) {
  char Text[200];
  int Size = snprintf(Text, sizeof(Text), "%s: %s\n", Name, What);
  if (write(STDOUT_FILENO, Text, (size_t)Size) < 0)
    abort();
  kill(getpid(), SIGKILL);
  for (;;)
    pause();
}

static void *callOnce(void *Argument) {
  ((const struct Function *)Argument)->Call();
  return NULL;
}

static void callInThread(const struct Function *F) {
  pthread_t Thread;
  struct timespec Deadline;
  clock_gettime(CLOCK_REALTIME, &Deadline);
  Deadline.tv_sec += PatienceMs / 1000;
  if (pthread_create(&Thread, NULL, callOnce, (void *)F) != 0)
    fail("no thread", F->Name);
  if (pthread_timedjoin_np(Thread, NULL, &Deadline) != 0)
    fail("hangs", F->Name);
}

static void *callOften(void *Argument) {
  while (!Stop)
    callInThread((const struct Function *)Argument);
  return NULL;
}

static int NumForks;

static _Noreturn void endChild(int Number) {
  char *Arguments[] = {"/bin/true", NULL}, *Environment[] = {NULL};
  for (size_t I = 1; I < 100; ++I)
    allocate(I * 20);
  if (Number % 2)
    execve(Arguments[0], Arguments, Environment);
  _exit(0);
}

static _Bool endsInTime(pid_t Child) {
  struct pollfd Process = {(int)syscall(SYS_pidfd_open, Child, 0), POLLIN, 0};
  int Ready;
  while ((Ready = poll(&Process, 1, PatienceMs)) < 0 && errno == EINTR) {
  }
  close(Process.fd);
  return Ready == 1;
}

static void *forkOften(void *Argument) {
  const struct Function *F = (const struct Function *)Argument;
  for (int I = 0; I < NumForks; ++I) {
    pid_t Child = fork();
    if (Child == 0)
      endChild(I);
    if (Child < 0)
      fail("no child", F->Name);
    if (!endsInTime(Child)) {
      kill(Child, SIGKILL);
      fail("a child hangs", F->Name);
    }
    int Status;
    waitpid(Child, &Status, 0);
    if (Status != 0)
      fail("a child failed", F->Name);
  }
  return NULL;
}

static void forkDuring(const struct Function *F) {
  pthread_t Caller, Forkers[2];
  Stop = 0;
  pthread_create(&Caller, NULL, callOften, (void *)F);
  for (int I = 0; I < 2; ++I)
    pthread_create(&Forkers[I], NULL, forkOften, (void *)F);
  for (int I = 0; I < 2; ++I)
    pthread_join(Forkers[I], NULL);
  Stop = 1;
  pthread_join(Caller, NULL);
}

int main(int Count, char **Arguments) {
  int Forks = Count > 3 && strcmp(Arguments[1], "forks") == 0;
  if (Count < 3)
    return 2;
  NumForks = Forks ? atoi(Arguments[2]) / 2 : 0;
  Library = Arguments[Forks ? 3 : 2];
  const char *Only = Forks && Count > 4 ? Arguments[4] : NULL;
  int Done = 0;
  for (int I = 0; I < NumFunctions; ++I) {
    if (Only && strcmp(Only, Functions[I].Name) != 0)
      continue;
    if (Forks)
      forkDuring(&Functions[I]);
    else
      callInThread(&Functions[I]);
    ++Done;
  }
  printf("%d functions, %d children each\n", Done, 2 * NumForks);
  return 0;
}

#endif
