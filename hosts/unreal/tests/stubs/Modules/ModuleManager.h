#pragma once

class FDefaultModuleImpl
{
};

#define IMPLEMENT_MODULE(kind, name) \
    kind Stub##name;
