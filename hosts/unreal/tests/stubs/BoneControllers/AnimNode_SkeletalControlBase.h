#pragma once

#include "Animation/AnimInstanceProxy.h"
#include "ReferenceSkeleton.h"

class UAnimInstance;
class USkeleton;

struct FCompactPoseBoneIndex
{
    explicit FCompactPoseBoneIndex(int32 In) : Index(In) {}
    int32 GetInt() const { return Index; }

    int32 Index;
};

struct FMeshPoseBoneIndex
{
    explicit FMeshPoseBoneIndex(int32 In) : Index(In) {}

    int32 Index;
};

/** Some of the bones of a skeleton. */
struct FBoneContainer
{
    const FReferenceSkeleton &GetReferenceSkeleton() const { return *StubSkeleton; }
    FCompactPoseBoneIndex MakeCompactPoseIndex(const FMeshPoseBoneIndex &Bone) const
    {
        return FCompactPoseBoneIndex(StubCompact[Bone.Index]);
    }

    const FReferenceSkeleton *StubSkeleton = nullptr;
    TArray<int32> StubCompact;
};

struct FCompactPose
{
    const FBoneContainer &GetBoneContainer() const { return *StubBones; }

    const FBoneContainer *StubBones = nullptr;
};

struct FStubCSPose
{
    const FCompactPose &GetPose() const { return StubPose; }
    const FTransform &GetComponentSpaceTransform(const FCompactPoseBoneIndex &Bone) { return StubTransforms[Bone.Index]; }

    FCompactPose StubPose;
    TArray<FTransform> StubTransforms;
};

struct FComponentSpacePoseContext
{
    FAnimInstanceProxy *AnimInstanceProxy = nullptr;
    FStubCSPose Pose;
};

struct FBoneTransform
{
    FBoneTransform(FCompactPoseBoneIndex In, const FTransform &InTransform) : BoneIndex(In), Transform(InTransform) {}

    FCompactPoseBoneIndex BoneIndex;
    FTransform Transform;
};

struct FAnimNode_SkeletalControlBase
{
    virtual ~FAnimNode_SkeletalControlBase() = default;
    virtual bool HasPreUpdate() const { return false; }
    virtual void PreUpdate(const UAnimInstance *) {}
    virtual void EvaluateSkeletalControl_AnyThread(FComponentSpacePoseContext &, TArray<FBoneTransform> &) {}
    virtual bool IsValidToEvaluate(const USkeleton *, const FBoneContainer &) { return false; }

private:
    virtual void InitializeBoneReferences(const FBoneContainer &) {}
};
