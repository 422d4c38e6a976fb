#include "AnimNode_WithyRagdoll.h"

#include "Animation/AnimInstance.h"
#include "Animation/AnimInstanceProxy.h"
#include "GameFramework/Actor.h"
#include "WithyRagdollComponent.h"

void FAnimNode_WithyRagdoll::PreUpdate(const UAnimInstance *Instance)
{
    const AActor *Owner = Instance != nullptr ? Instance->GetOwningActor() : nullptr;
    Ragdoll = Owner != nullptr ? Owner->FindComponentByClass<UWithyRagdollComponent>() : nullptr;
}

bool FAnimNode_WithyRagdoll::IsValidToEvaluate(const USkeleton *, const FBoneContainer &)
{
    return Ragdoll.IsValid();
}

void FAnimNode_WithyRagdoll::EvaluateSkeletalControl_AnyThread(FComponentSpacePoseContext &Output,
                                                               TArray<FBoneTransform> &OutBoneTransforms)
{
    UWithyRagdollComponent *Component = Ragdoll.Get();
    if (Component == nullptr)
    {
        return;
    }
    const FBoneContainer &Container = Output.Pose.GetPose().GetBoneContainer();
    const FReferenceSkeleton &Skeleton = Container.GetReferenceSkeleton();
    const FTransform &Mesh = Output.AnimInstanceProxy->GetComponentTransform();
    Bones.SetNum(Skeleton.GetNum());
    for (int32 Bone = 0; Bone < Skeleton.GetNum(); ++Bone)
    {
        const FCompactPoseBoneIndex Compact = Container.MakeCompactPoseIndex(FMeshPoseBoneIndex(Bone));
        const int32 Parent = Skeleton.GetParentIndex(Bone);
        if (Compact.GetInt() != INDEX_NONE)
        {
            Bones[Bone] = Output.Pose.GetComponentSpaceTransform(Compact) * Mesh;
        }
        else
        {
            // Left out by the level of detail: as it is bound.
            Bones[Bone] = Skeleton.GetRefBonePose()[Bone] * (Parent < 0 ? Mesh : Bones[Parent]);
        }
    }
    if (!Component->Exchange(Bones))
    {
        return;
    }
    for (int32 Bone = 0; Bone < Skeleton.GetNum(); ++Bone)
    {
        // Ascending, as it is asked for: both orders are that of the skeleton.
        const FCompactPoseBoneIndex Compact = Container.MakeCompactPoseIndex(FMeshPoseBoneIndex(Bone));
        if (Compact.GetInt() != INDEX_NONE)
        {
            OutBoneTransforms.Add(FBoneTransform(Compact, Bones[Bone].GetRelativeTransform(Mesh)));
        }
    }
}
