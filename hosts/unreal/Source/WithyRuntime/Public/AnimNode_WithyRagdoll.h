#pragma once

#include "BoneControllers/AnimNode_SkeletalControlBase.h"
#include "CoreMinimal.h"

#include "AnimNode_WithyRagdoll.generated.h"

class UWithyRagdollComponent;

/** The last node of an animation blueprint: brings the pose of the animation to the actor's withy Ragdoll component, and the
 *  simulated pose back while it is released. It shows what was simulated in the frame before. */
USTRUCT(BlueprintInternalUseOnly)
struct WITHYRUNTIME_API FAnimNode_WithyRagdoll : public FAnimNode_SkeletalControlBase
{
    GENERATED_BODY()

    virtual bool HasPreUpdate() const override { return true; }
    /** On the game thread: which component that is. */
    virtual void PreUpdate(const UAnimInstance *Instance) override;
    virtual void EvaluateSkeletalControl_AnyThread(FComponentSpacePoseContext &Output,
                                                   TArray<FBoneTransform> &OutBoneTransforms) override;
    virtual bool IsValidToEvaluate(const USkeleton *Skeleton, const FBoneContainer &RequiredBones) override;

private:
    virtual void InitializeBoneReferences(const FBoneContainer &) override {}

    TWeakObjectPtr<UWithyRagdollComponent> Ragdoll = nullptr;
    TArray<FTransform> Bones;
};
