#pragma once

#include "CoreMinimal.h"

namespace stub
{
/** Its address stands for a class: there is no RTTI. */
template <class T>
inline const char Class = 0;
} // namespace stub

class AActor : public UObject
{
public:
    FVector GetActorLocation() const { return StubPlace; }
    template <class T>
    T *FindComponentByClass() const
    {
        for (const FStubComponent &Component : StubComponents)
        {
            if (Component.Class == &stub::Class<T>)
            {
                return static_cast<T *>(Component.Object);
            }
        }
        return nullptr;
    }
    template <class T>
    void StubAdd(T &Component)
    {
        Component.StubOwner = this;
        StubComponents.push_back({&stub::Class<T>, &Component});
    }

    struct FStubComponent
    {
        const char *Class;
        UObject *Object;
    };
    std::vector<FStubComponent> StubComponents;

    FVector StubPlace = FVector::ZeroVector;
};
