// What withy's module uses of Unreal Engine 5, written from its documentation, so that it can be compiled and played
// without the engine. Not Epic's code, and only as much of it as is called here.
#pragma once

#include <cstring>
#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <vector>

using int32 = int32_t;
using int64 = int64_t;
using uint32 = uint32_t;
using uint8 = uint8_t;
using TCHAR = char;

#define TEXT(text) text
#define UTF8_TO_TCHAR(text) (text)
#define WITHYRUNTIME_API
#define WITHYEDITOR_API
#define USTRUCT(...)
#define UCLASS(...)
#define UENUM(...)
#define UPROPERTY(...)
#define UFUNCTION(...)
#define GENERATED_BODY()
#define DEFINE_LOG_CATEGORY_STATIC(category, verbosity, compiled) \
    static const char *const category = #category
#define UE_LOG(category, verbosity, format, ...) stub::Log(category, format, __VA_ARGS__)

enum
{
    INDEX_NONE = -1
};

namespace stub
{
inline std::vector<std::string> &Errors()
{
    static std::vector<std::string> All;
    return All;
}
__attribute__((format(printf, 2, 3))) inline void Log(const char *, const char *Format, ...)
{
    char Line[2048];
    va_list Arguments;
    va_start(Arguments, Format);
    vsnprintf(Line, sizeof Line, Format, Arguments);
    va_end(Arguments);
    Errors().emplace_back(Line);
}
} // namespace stub

struct FMemory
{
    static int32 Memcmp(const void *A, const void *B, std::size_t Count) { return std::memcmp(A, B, Count); }
};

struct FMath
{
    template <class T>
    static T Min(T A, T B)
    {
        return A < B ? A : B;
    }
    template <class T>
    static T Max(T A, T B)
    {
        return A < B ? B : A;
    }
    template <class T>
    static T Clamp(T V, T Low, T High)
    {
        return Max(Low, Min(V, High));
    }
};

struct FVector
{
    double X, Y, Z;

    static const FVector ZeroVector, UpVector;

    FVector() = default;
    FVector(double InX, double InY, double InZ) : X(InX), Y(InY), Z(InZ) {}
    FVector operator+(const FVector &B) const { return {X + B.X, Y + B.Y, Z + B.Z}; }
    FVector operator-(const FVector &B) const { return {X - B.X, Y - B.Y, Z - B.Z}; }
    FVector operator*(double S) const { return {X * S, Y * S, Z * S}; }
    double Size() const { return std::sqrt(X * X + Y * Y + Z * Z); }
    FVector GetAbs() const { return {std::abs(X), std::abs(Y), std::abs(Z)}; }
    double GetMin() const { return FMath::Min(X, FMath::Min(Y, Z)); }
    static double Dist(const FVector &A, const FVector &B) { return (A - B).Size(); }
};
inline const FVector FVector::ZeroVector{0, 0, 0};
inline const FVector FVector::UpVector{0, 0, 1};

struct FQuat
{
    double X = 0, Y = 0, Z = 0, W = 1;

    FQuat() = default;
    FQuat(double InX, double InY, double InZ, double InW) : X(InX), Y(InY), Z(InZ), W(InW) {}
    static FQuat FindBetweenVectors(const FVector &A, const FVector &B)
    {
        const double Norm = A.Size() * B.Size();
        FQuat Q(A.Y * B.Z - A.Z * B.Y, A.Z * B.X - A.X * B.Z, A.X * B.Y - A.Y * B.X,
                Norm + A.X * B.X + A.Y * B.Y + A.Z * B.Z);
        const double Length = std::sqrt(Q.X * Q.X + Q.Y * Q.Y + Q.Z * Q.Z + Q.W * Q.W);
        return Length > 1e-12 * Norm ? FQuat(Q.X / Length, Q.Y / Length, Q.Z / Length, Q.W / Length) : FQuat(1, 0, 0, 0);
    }
    FQuat operator*(const FQuat &B) const
    {
        return {W * B.X + X * B.W + Y * B.Z - Z * B.Y, W * B.Y - X * B.Z + Y * B.W + Z * B.X,
                W * B.Z + X * B.Y - Y * B.X + Z * B.W, W * B.W - X * B.X - Y * B.Y - Z * B.Z};
    }
    FQuat Inverse() const { return {-X, -Y, -Z, W}; }
    FVector RotateVector(const FVector &V) const
    {
        const FVector Q(X, Y, Z);
        const auto Cross = [](const FVector &A, const FVector &B) {
            return FVector(A.Y * B.Z - A.Z * B.Y, A.Z * B.X - A.X * B.Z, A.X * B.Y - A.Y * B.X);
        };
        const FVector T = Cross(Q, V) * 2;
        return V + T * W + Cross(Q, T);
    }
};

struct FTransform
{
    FQuat Rotation;
    FVector Translation{0, 0, 0}, Scale{1, 1, 1};

    FTransform() = default;
    FTransform(const FQuat &Turn, const FVector &Place, const FVector &InScale)
        : Rotation(Turn), Translation(Place), Scale(InScale)
    {
    }
    FVector GetLocation() const { return Translation; }
    FQuat GetRotation() const { return Rotation; }
    void SetLocation(const FVector &V) { Translation = V; }
    void SetRotation(const FQuat &Q) { Rotation = Q; }
    FVector TransformPosition(const FVector &V) const
    {
        return Rotation.RotateVector({V.X * Scale.X, V.Y * Scale.Y, V.Z * Scale.Z}) + Translation;
    }
    /** First this one, then B. */
    FTransform operator*(const FTransform &B) const
    {
        return {B.Rotation * Rotation, B.TransformPosition(Translation),
                {Scale.X * B.Scale.X, Scale.Y * B.Scale.Y, Scale.Z * B.Scale.Z}};
    }
    /** What, followed by B, is this one. */
    FTransform GetRelativeTransform(const FTransform &B) const
    {
        const FVector V = B.Rotation.Inverse().RotateVector(Translation - B.Translation);
        return {B.Rotation.Inverse() * Rotation, {V.X / B.Scale.X, V.Y / B.Scale.Y, V.Z / B.Scale.Z},
                {Scale.X / B.Scale.X, Scale.Y / B.Scale.Y, Scale.Z / B.Scale.Z}};
    }
};

struct FRotator
{
    /** The engine has angles. */
    FQuat Stub;

    FQuat Quaternion() const { return Stub; }
};

struct FName
{
    std::string Stub;

    bool operator==(const FName &) const = default;
};
inline const FName NAME_None{"None"};

struct FText
{
    std::string Stub;

    static FText FromString(const TCHAR *Text) { return {Text}; }
};

template <class T>
class TArray
{
public:
    int32 Num() const { return static_cast<int32>(All.size()); }
    T *GetData() { return All.data(); }
    const T *GetData() const { return All.data(); }
    T &operator[](int32 I) { return All.at(static_cast<size_t>(I)); }
    const T &operator[](int32 I) const { return All.at(static_cast<size_t>(I)); }
    void SetNum(int32 N) { All.resize(static_cast<size_t>(N)); }
    void Empty() { All.clear(); }
    void Add(const T &V) { All.push_back(V); }
    void AddUnique(const T &V)
    {
        Remove(V);
        All.push_back(V);
    }
    void Remove(const T &V)
    {
        for (size_t I = All.size(); I-- > 0;)
        {
            if (All[I] == V)
            {
                All.erase(All.begin() + static_cast<std::ptrdiff_t>(I));
            }
        }
    }
    auto begin() { return All.begin(); }
    auto end() { return All.end(); }

private:
    std::vector<T> All;
};

class UWorld;

class UObject
{
public:
    virtual ~UObject() = default;
    virtual UWorld *GetWorld() const { return StubWorld; }

    std::string StubName = "Object";
    UWorld *StubWorld = nullptr;
    bool bStubGone = false;
};

/** Does not keep its object. */
template <class T>
class TWeakObjectPtr
{
public:
    TWeakObjectPtr(T *In = nullptr) : Pointer(In) {}
    bool IsValid() const { return Pointer != nullptr && !Pointer->bStubGone; }
    T *operator->() const { return Pointer; }
    T *Get() const { return IsValid() ? Pointer : nullptr; }

private:
    T *Pointer;
};

/** Stands for FString, of which `*` gives the text. */
struct FStubString
{
    std::string Text;
    const char *operator*() const { return Text.c_str(); }
};
inline FStubString GetNameSafe(const UObject *Object)
{
    return {Object == nullptr ? "None" : Object->StubName};
}

struct TStatId
{
};
#define RETURN_QUICK_DECLARE_CYCLE_STAT(name, group) return TStatId()
