#pragma once

#include "CoreMinimal.h"

using FCriticalSection = std::mutex;
