#pragma once

#include "HAL/CriticalSection.h"

class FScopeLock
{
public:
    explicit FScopeLock(FCriticalSection *In) : Section(In) { Section->lock(); }
    ~FScopeLock() { Section->unlock(); }
    FScopeLock(const FScopeLock &) = delete;
    FScopeLock &operator=(const FScopeLock &) = delete;

private:
    FCriticalSection *Section;
};
