#pragma once

#include "AnimGraphNode_SkeletalControlBase.h"
#include "AnimNode_WithyRagdoll.h"
#include "CoreMinimal.h"

#include "AnimGraphNode_WithyRagdoll.generated.h"

/** The node in the editor of animation blueprints. */
UCLASS()
class WITHYEDITOR_API UAnimGraphNode_WithyRagdoll : public UAnimGraphNode_SkeletalControlBase
{
    GENERATED_BODY()

public:
    UPROPERTY(EditAnywhere, Category = "withy")
    FAnimNode_WithyRagdoll Node;

    virtual FText GetNodeTitle(ENodeTitleType::Type TitleType) const override;
    virtual FText GetTooltipText() const override;

protected:
    virtual FText GetControllerDescription() const override;
    virtual const FAnimNode_SkeletalControlBase *GetNode() const override { return &Node; }
};
