void *withoutFrames(int Size, void *(*Allocate)(int)) {
  volatile int Room[20];
  for (int I = 0; I != 20; ++I)
    Room[I] = 0;
  return (char *)Allocate(Size + Room[3]) + Room[5];
}
