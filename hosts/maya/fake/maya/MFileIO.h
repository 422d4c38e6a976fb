#include "../fake_maya.h"
