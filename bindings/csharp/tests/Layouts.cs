// Written by `cargo xtask bindings`.
using System.IO;

namespace Withy.Tests
{
    public static unsafe class Layouts
    {
        public static void Print(TextWriter to)
        {
            {
                var x = new WithyAssetChunk();
                var at = (byte*)&x;
                to.WriteLine("WithyAssetChunk " + sizeof(WithyAssetChunk));
                to.WriteLine("WithyAssetChunk.name " + ((byte*)&x.name - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyAssetChunk.data " + ((byte*)&x.data - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyAssetChunk.size " + ((byte*)&x.size - at) + " " + sizeof(ulong));
                to.WriteLine("WithyAssetChunk.version " + ((byte*)&x.version - at) + " " + sizeof(uint));
                to.WriteLine("WithyAssetChunk.format " + ((byte*)&x.format - at) + " " + sizeof(AssetFormat));
                to.WriteLine("WithyAssetChunk.columns " + ((byte*)&x.columns - at) + " " + sizeof(uint));
                to.WriteLine("WithyAssetChunk.reserved " + ((byte*)&x.reserved - at) + " " + sizeof(uint));
            }
            {
                var x = new WithyAttachment();
                var at = (byte*)&x;
                to.WriteLine("WithyAttachment " + sizeof(WithyAttachment));
                to.WriteLine("WithyAttachment.bits " + ((byte*)&x.bits - at) + " " + sizeof(ulong));
            }
            {
                var x = new WithyJunctionDef();
                var at = (byte*)&x;
                to.WriteLine("WithyJunctionDef " + sizeof(WithyJunctionDef));
                to.WriteLine("WithyJunctionDef.struct_size " + ((byte*)&x.struct_size - at) + " " + sizeof(uint));
                to.WriteLine("WithyJunctionDef.flags " + ((byte*)&x.flags - at) + " " + sizeof(uint));
                to.WriteLine("WithyJunctionDef.next " + ((byte*)&x.next - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyJunctionDef.ends " + ((byte*)&x.ends - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyJunctionDef.end_count " + ((byte*)&x.end_count - at) + " " + sizeof(uint));
                to.WriteLine("WithyJunctionDef.reserved " + ((byte*)&x.reserved - at) + " " + sizeof(uint));
                to.WriteLine("WithyJunctionDef.radius " + ((byte*)&x.radius - at) + " " + sizeof(double));
                to.WriteLine("WithyJunctionDef.mass " + ((byte*)&x.mass - at) + " " + sizeof(double));
            }
            {
                var x = new WithyBody();
                var at = (byte*)&x;
                to.WriteLine("WithyBody " + sizeof(WithyBody));
                to.WriteLine("WithyBody.bits " + ((byte*)&x.bits - at) + " " + sizeof(ulong));
            }
            {
                var x = new WithyCable();
                var at = (byte*)&x;
                to.WriteLine("WithyCable " + sizeof(WithyCable));
                to.WriteLine("WithyCable.bits " + ((byte*)&x.bits - at) + " " + sizeof(ulong));
            }
            {
                var x = new WithyCableDef();
                var at = (byte*)&x;
                to.WriteLine("WithyCableDef " + sizeof(WithyCableDef));
                to.WriteLine("WithyCableDef.struct_size " + ((byte*)&x.struct_size - at) + " " + sizeof(uint));
                to.WriteLine("WithyCableDef.flags " + ((byte*)&x.flags - at) + " " + sizeof(uint));
                to.WriteLine("WithyCableDef.next " + ((byte*)&x.next - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyCableDef.points " + ((byte*)&x.points - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyCableDef.point_count " + ((byte*)&x.point_count - at) + " " + sizeof(uint));
                to.WriteLine("WithyCableDef.reserved " + ((byte*)&x.reserved - at) + " " + sizeof(uint));
                to.WriteLine("WithyCableDef.length " + ((byte*)&x.length - at) + " " + sizeof(double));
                to.WriteLine("WithyCableDef.stiffness " + ((byte*)&x.stiffness - at) + " " + sizeof(double));
                to.WriteLine("WithyCableDef.break_force " + ((byte*)&x.break_force - at) + " " + sizeof(double));
            }
            {
                var x = new WithyCableState();
                var at = (byte*)&x;
                to.WriteLine("WithyCableState " + sizeof(WithyCableState));
                to.WriteLine("WithyCableState.length " + ((byte*)&x.length - at) + " " + sizeof(double));
                to.WriteLine("WithyCableState.path " + ((byte*)&x.path - at) + " " + sizeof(double));
                to.WriteLine("WithyCableState.tension " + ((byte*)&x.tension - at) + " " + sizeof(double));
                to.WriteLine("WithyCableState.broken " + ((byte*)&x.broken - at) + " " + sizeof(uint));
                to.WriteLine("WithyCableState.reserved " + ((byte*)&x.reserved - at) + " " + sizeof(uint));
            }
            {
                var x = new WithyCollider();
                var at = (byte*)&x;
                to.WriteLine("WithyCollider " + sizeof(WithyCollider));
                to.WriteLine("WithyCollider.bits " + ((byte*)&x.bits - at) + " " + sizeof(ulong));
            }
            {
                var x = new WithyContext();
                var at = (byte*)&x;
                to.WriteLine("WithyContext " + sizeof(WithyContext));
                to.WriteLine("WithyContext.bits " + ((byte*)&x.bits - at) + " " + sizeof(ulong));
            }
            {
                var x = new WithyTaskCallbacks();
                var at = (byte*)&x;
                to.WriteLine("WithyTaskCallbacks " + sizeof(WithyTaskCallbacks));
                to.WriteLine("WithyTaskCallbacks.user " + ((byte*)&x.user - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyTaskCallbacks.run " + ((byte*)&x.run - at) + " " + sizeof(System.IntPtr));
            }
            {
                var x = new WithyContextDef();
                var at = (byte*)&x;
                to.WriteLine("WithyContextDef " + sizeof(WithyContextDef));
                to.WriteLine("WithyContextDef.struct_size " + ((byte*)&x.struct_size - at) + " " + sizeof(uint));
                to.WriteLine("WithyContextDef.flags " + ((byte*)&x.flags - at) + " " + sizeof(uint));
                to.WriteLine("WithyContextDef.next " + ((byte*)&x.next - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyContextDef.convention " + ((byte*)&x.convention - at) + " " + sizeof(Convention));
                to.WriteLine("WithyContextDef.threads " + ((byte*)&x.threads - at) + " " + sizeof(uint));
                to.WriteLine("WithyContextDef.metres_per_unit " + ((byte*)&x.metres_per_unit - at) + " " + sizeof(double));
                to.WriteLine("WithyContextDef.tasks " + ((byte*)&x.tasks - at) + " " + sizeof(System.IntPtr));
            }
            {
                var x = new WithyDebugLine();
                var at = (byte*)&x;
                to.WriteLine("WithyDebugLine " + sizeof(WithyDebugLine));
                to.WriteLine("WithyDebugLine.start " + ((byte*)x.start - at) + " " + sizeof(float) * 3);
                to.WriteLine("WithyDebugLine.end " + ((byte*)x.end - at) + " " + sizeof(float) * 3);
                to.WriteLine("WithyDebugLine.rgba " + ((byte*)&x.rgba - at) + " " + sizeof(uint));
                to.WriteLine("WithyDebugLine.reserved " + ((byte*)&x.reserved - at) + " " + sizeof(uint));
            }
            {
                var x = new WithyJoint();
                var at = (byte*)&x;
                to.WriteLine("WithyJoint " + sizeof(WithyJoint));
                to.WriteLine("WithyJoint.bits " + ((byte*)&x.bits - at) + " " + sizeof(ulong));
            }
            {
                var x = new WithyArc();
                var at = (byte*)&x;
                to.WriteLine("WithyArc " + sizeof(WithyArc));
                to.WriteLine("WithyArc.length " + ((byte*)&x.length - at) + " " + sizeof(double));
                to.WriteLine("WithyArc.bend " + ((byte*)x.bend - at) + " " + sizeof(double) * 2);
                to.WriteLine("WithyArc.twist " + ((byte*)&x.twist - at) + " " + sizeof(double));
                to.WriteLine("WithyArc.viscosity " + ((byte*)&x.viscosity - at) + " " + sizeof(double));
                to.WriteLine("WithyArc.rest " + ((byte*)x.rest - at) + " " + sizeof(double) * 3);
                to.WriteLine("WithyArc.relaxation " + ((byte*)x.relaxation - at) + " " + sizeof(double) * 2);
            }
            {
                var x = new WithyBrokenJoint();
                var at = (byte*)&x;
                to.WriteLine("WithyBrokenJoint " + sizeof(WithyBrokenJoint));
                to.WriteLine("WithyBrokenJoint.joint " + ((byte*)&x.joint - at) + " " + sizeof(WithyJoint));
                to.WriteLine("WithyBrokenJoint.force " + ((byte*)&x.force - at) + " " + sizeof(double));
                to.WriteLine("WithyBrokenJoint.torque " + ((byte*)&x.torque - at) + " " + sizeof(double));
            }
            {
                var x = new WithyMesh();
                var at = (byte*)&x;
                to.WriteLine("WithyMesh " + sizeof(WithyMesh));
                to.WriteLine("WithyMesh.bits " + ((byte*)&x.bits - at) + " " + sizeof(ulong));
            }
            {
                var x = new WithyMuscleState();
                var at = (byte*)&x;
                to.WriteLine("WithyMuscleState " + sizeof(WithyMuscleState));
                to.WriteLine("WithyMuscleState.length " + ((byte*)&x.length - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleState.velocity " + ((byte*)&x.velocity - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleState.force " + ((byte*)&x.force - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleState.active_force " + ((byte*)&x.active_force - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleState.volume " + ((byte*)&x.volume - at) + " " + sizeof(double));
            }
            {
                var x = new WithyMuscleFit();
                var at = (byte*)&x;
                to.WriteLine("WithyMuscleFit " + sizeof(WithyMuscleFit));
                to.WriteLine("WithyMuscleFit.volume " + ((byte*)&x.volume - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleFit.length " + ((byte*)&x.length - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleFit.covered " + ((byte*)&x.covered - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleFit.outside " + ((byte*)&x.outside - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleFit.origin_gap " + ((byte*)&x.origin_gap - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleFit.insertion_gap " + ((byte*)&x.insertion_gap - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleFit.surface_distance " + ((byte*)&x.surface_distance - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleFit.headless " + ((byte*)&x.headless - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleFit.left_out " + ((byte*)&x.left_out - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleFit.origin_heads " + ((byte*)&x.origin_heads - at) + " " + sizeof(uint));
                to.WriteLine("WithyMuscleFit.insertion_heads " + ((byte*)&x.insertion_heads - at) + " " + sizeof(uint));
                to.WriteLine("WithyMuscleFit.flat_triangles " + ((byte*)&x.flat_triangles - at) + " " + sizeof(uint));
                to.WriteLine("WithyMuscleFit.repairs " + ((byte*)&x.repairs - at) + " " + sizeof(MuscleRepairs));
            }
            {
                var x = new WithyRagdolls();
                var at = (byte*)&x;
                to.WriteLine("WithyRagdolls " + sizeof(WithyRagdolls));
                to.WriteLine("WithyRagdolls.bits " + ((byte*)&x.bits - at) + " " + sizeof(ulong));
            }
            {
                var x = new WithyRagdollBodyDef();
                var at = (byte*)&x;
                to.WriteLine("WithyRagdollBodyDef " + sizeof(WithyRagdollBodyDef));
                to.WriteLine("WithyRagdollBodyDef.struct_size " + ((byte*)&x.struct_size - at) + " " + sizeof(uint));
                to.WriteLine("WithyRagdollBodyDef.flags " + ((byte*)&x.flags - at) + " " + sizeof(RagdollBodyFlags));
                to.WriteLine("WithyRagdollBodyDef.next " + ((byte*)&x.next - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyRagdollBodyDef.body " + ((byte*)&x.body - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyRagdollBodyDef.joint " + ((byte*)&x.joint - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyRagdollBodyDef.bone " + ((byte*)&x.bone - at) + " " + sizeof(uint));
                to.WriteLine("WithyRagdollBodyDef.reserved " + ((byte*)&x.reserved - at) + " " + sizeof(uint));
            }
            {
                var x = new WithyRenderHair();
                var at = (byte*)&x;
                to.WriteLine("WithyRenderHair " + sizeof(WithyRenderHair));
                to.WriteLine("WithyRenderHair.bits " + ((byte*)&x.bits - at) + " " + sizeof(ulong));
            }
            {
                var x = new WithyRenderHairLodDef();
                var at = (byte*)&x;
                to.WriteLine("WithyRenderHairLodDef " + sizeof(WithyRenderHairLodDef));
                to.WriteLine("WithyRenderHairLodDef.struct_size " + ((byte*)&x.struct_size - at) + " " + sizeof(uint));
                to.WriteLine("WithyRenderHairLodDef.flags " + ((byte*)&x.flags - at) + " " + sizeof(uint));
                to.WriteLine("WithyRenderHairLodDef.next " + ((byte*)&x.next - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyRenderHairLodDef.strands " + ((byte*)&x.strands - at) + " " + sizeof(double));
                to.WriteLine("WithyRenderHairLodDef.vertices " + ((byte*)&x.vertices - at) + " " + sizeof(double));
                to.WriteLine("WithyRenderHairLodDef.width " + ((byte*)&x.width - at) + " " + sizeof(double));
            }
            {
                var x = new WithyRestShapeDef();
                var at = (byte*)&x;
                to.WriteLine("WithyRestShapeDef " + sizeof(WithyRestShapeDef));
                to.WriteLine("WithyRestShapeDef.struct_size " + ((byte*)&x.struct_size - at) + " " + sizeof(uint));
                to.WriteLine("WithyRestShapeDef.flags " + ((byte*)&x.flags - at) + " " + sizeof(uint));
                to.WriteLine("WithyRestShapeDef.next " + ((byte*)&x.next - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyRestShapeDef.progress " + ((byte*)&x.progress - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyRestShapeDef.user " + ((byte*)&x.user - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyRestShapeDef.regularizer " + ((byte*)&x.regularizer - at) + " " + sizeof(double));
                to.WriteLine("WithyRestShapeDef.tolerance " + ((byte*)&x.tolerance - at) + " " + sizeof(double));
                to.WriteLine("WithyRestShapeDef.target " + ((byte*)&x.target - at) + " " + sizeof(double));
                to.WriteLine("WithyRestShapeDef.length_min " + ((byte*)&x.length_min - at) + " " + sizeof(double));
                to.WriteLine("WithyRestShapeDef.length_max " + ((byte*)&x.length_max - at) + " " + sizeof(double));
                to.WriteLine("WithyRestShapeDef.curvature " + ((byte*)&x.curvature - at) + " " + sizeof(double));
                to.WriteLine("WithyRestShapeDef.twist " + ((byte*)&x.twist - at) + " " + sizeof(double));
                to.WriteLine("WithyRestShapeDef.stiffen " + ((byte*)&x.stiffen - at) + " " + sizeof(double));
                to.WriteLine("WithyRestShapeDef.step " + ((byte*)&x.step - at) + " " + sizeof(double));
                to.WriteLine("WithyRestShapeDef.iterations " + ((byte*)&x.iterations - at) + " " + sizeof(uint));
                to.WriteLine("WithyRestShapeDef.bounds " + ((byte*)&x.bounds - at) + " " + sizeof(Bounds));
                to.WriteLine("WithyRestShapeDef.change_twist " + ((byte*)&x.change_twist - at) + " " + sizeof(uint));
                to.WriteLine("WithyRestShapeDef.reserved " + ((byte*)&x.reserved - at) + " " + sizeof(uint));
                to.WriteLine("WithyRestShapeDef.lowest_mode_min " + ((byte*)&x.lowest_mode_min - at) + " " + sizeof(double));
            }
            {
                var x = new WithySettleDef();
                var at = (byte*)&x;
                to.WriteLine("WithySettleDef " + sizeof(WithySettleDef));
                to.WriteLine("WithySettleDef.struct_size " + ((byte*)&x.struct_size - at) + " " + sizeof(uint));
                to.WriteLine("WithySettleDef.flags " + ((byte*)&x.flags - at) + " " + sizeof(uint));
                to.WriteLine("WithySettleDef.next " + ((byte*)&x.next - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithySettleDef.progress " + ((byte*)&x.progress - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithySettleDef.user " + ((byte*)&x.user - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithySettleDef.tolerance " + ((byte*)&x.tolerance - at) + " " + sizeof(double));
                to.WriteLine("WithySettleDef.iterations " + ((byte*)&x.iterations - at) + " " + sizeof(uint));
                to.WriteLine("WithySettleDef.reserved " + ((byte*)&x.reserved - at) + " " + sizeof(uint));
            }
            {
                var x = new WithyElasticReport();
                var at = (byte*)&x;
                to.WriteLine("WithyElasticReport " + sizeof(WithyElasticReport));
                to.WriteLine("WithyElasticReport.answer " + ((byte*)&x.answer - at) + " " + sizeof(StrandAnswer));
                to.WriteLine("WithyElasticReport.reason " + ((byte*)&x.reason - at) + " " + sizeof(Reason));
                to.WriteLine("WithyElasticReport.iterations " + ((byte*)&x.iterations - at) + " " + sizeof(uint));
                to.WriteLine("WithyElasticReport.at_bounds " + ((byte*)&x.at_bounds - at) + " " + sizeof(uint));
                to.WriteLine("WithyElasticReport.unstable_modes " + ((byte*)&x.unstable_modes - at) + " " + sizeof(uint));
                to.WriteLine("WithyElasticReport.stiffened " + ((byte*)&x.stiffened - at) + " " + sizeof(uint));
                to.WriteLine("WithyElasticReport.residual " + ((byte*)&x.residual - at) + " " + sizeof(double));
                to.WriteLine("WithyElasticReport.acceleration " + ((byte*)&x.acceleration - at) + " " + sizeof(double));
                to.WriteLine("WithyElasticReport.lowest_mode " + ((byte*)&x.lowest_mode - at) + " " + sizeof(double));
                to.WriteLine("WithyElasticReport.stiffest " + ((byte*)&x.stiffest - at) + " " + sizeof(double));
            }
            {
                var x = new WithyRods();
                var at = (byte*)&x;
                to.WriteLine("WithyRods " + sizeof(WithyRods));
                to.WriteLine("WithyRods.bits " + ((byte*)&x.bits - at) + " " + sizeof(ulong));
            }
            {
                var x = new WithyStrandIssue();
                var at = (byte*)&x;
                to.WriteLine("WithyStrandIssue " + sizeof(WithyStrandIssue));
                to.WriteLine("WithyStrandIssue.strand " + ((byte*)&x.strand - at) + " " + sizeof(uint));
                to.WriteLine("WithyStrandIssue.vertex " + ((byte*)&x.vertex - at) + " " + sizeof(uint));
                to.WriteLine("WithyStrandIssue.kind " + ((byte*)&x.kind - at) + " " + sizeof(Issue));
                to.WriteLine("WithyStrandIssue.reserved " + ((byte*)&x.reserved - at) + " " + sizeof(uint));
                to.WriteLine("WithyStrandIssue.value " + ((byte*)&x.value - at) + " " + sizeof(double));
            }
            {
                var x = new WithySkin();
                var at = (byte*)&x;
                to.WriteLine("WithySkin " + sizeof(WithySkin));
                to.WriteLine("WithySkin.bits " + ((byte*)&x.bits - at) + " " + sizeof(ulong));
            }
            {
                var x = new WithySpan();
                var at = (byte*)&x;
                to.WriteLine("WithySpan " + sizeof(WithySpan));
                to.WriteLine("WithySpan.data " + ((byte*)&x.data - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithySpan.count " + ((byte*)&x.count - at) + " " + sizeof(ulong));
                to.WriteLine("WithySpan.stride " + ((byte*)&x.stride - at) + " " + sizeof(ulong));
                to.WriteLine("WithySpan.format " + ((byte*)&x.format - at) + " " + sizeof(Format));
                to.WriteLine("WithySpan.reserved " + ((byte*)&x.reserved - at) + " " + sizeof(uint));
            }
            {
                var x = new WithyVec3();
                var at = (byte*)&x;
                to.WriteLine("WithyVec3 " + sizeof(WithyVec3));
                to.WriteLine("WithyVec3.x " + ((byte*)&x.x - at) + " " + sizeof(double));
                to.WriteLine("WithyVec3.y " + ((byte*)&x.y - at) + " " + sizeof(double));
                to.WriteLine("WithyVec3.z " + ((byte*)&x.z - at) + " " + sizeof(double));
            }
            {
                var x = new WithyQuat();
                var at = (byte*)&x;
                to.WriteLine("WithyQuat " + sizeof(WithyQuat));
                to.WriteLine("WithyQuat.x " + ((byte*)&x.x - at) + " " + sizeof(double));
                to.WriteLine("WithyQuat.y " + ((byte*)&x.y - at) + " " + sizeof(double));
                to.WriteLine("WithyQuat.z " + ((byte*)&x.z - at) + " " + sizeof(double));
                to.WriteLine("WithyQuat.w " + ((byte*)&x.w - at) + " " + sizeof(double));
            }
            {
                var x = new WithyPose();
                var at = (byte*)&x;
                to.WriteLine("WithyPose " + sizeof(WithyPose));
                to.WriteLine("WithyPose.position " + ((byte*)&x.position - at) + " " + sizeof(WithyVec3));
                to.WriteLine("WithyPose.rotation " + ((byte*)&x.rotation - at) + " " + sizeof(WithyQuat));
            }
            {
                var x = new WithyWorld();
                var at = (byte*)&x;
                to.WriteLine("WithyWorld " + sizeof(WithyWorld));
                to.WriteLine("WithyWorld.bits " + ((byte*)&x.bits - at) + " " + sizeof(ulong));
            }
            {
                var x = new WithyWorldDef();
                var at = (byte*)&x;
                to.WriteLine("WithyWorldDef " + sizeof(WithyWorldDef));
                to.WriteLine("WithyWorldDef.struct_size " + ((byte*)&x.struct_size - at) + " " + sizeof(uint));
                to.WriteLine("WithyWorldDef.flags " + ((byte*)&x.flags - at) + " " + sizeof(uint));
                to.WriteLine("WithyWorldDef.next " + ((byte*)&x.next - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyWorldDef.backend " + ((byte*)&x.backend - at) + " " + sizeof(Backend));
                to.WriteLine("WithyWorldDef.isa " + ((byte*)&x.isa - at) + " " + sizeof(Isa));
                to.WriteLine("WithyWorldDef.precision " + ((byte*)&x.precision - at) + " " + sizeof(Precision));
                to.WriteLine("WithyWorldDef.substeps " + ((byte*)&x.substeps - at) + " " + sizeof(uint));
                to.WriteLine("WithyWorldDef.iterations " + ((byte*)&x.iterations - at) + " " + sizeof(uint));
                to.WriteLine("WithyWorldDef.max_substeps " + ((byte*)&x.max_substeps - at) + " " + sizeof(uint));
            }
            {
                var x = new WithyStrandEnd();
                var at = (byte*)&x;
                to.WriteLine("WithyStrandEnd " + sizeof(WithyStrandEnd));
                to.WriteLine("WithyStrandEnd.rods " + ((byte*)&x.rods - at) + " " + sizeof(WithyRods));
                to.WriteLine("WithyStrandEnd.strand " + ((byte*)&x.strand - at) + " " + sizeof(uint));
                to.WriteLine("WithyStrandEnd.end " + ((byte*)&x.end - at) + " " + sizeof(End));
            }
            {
                var x = new WithyTriangleAttachmentDef();
                var at = (byte*)&x;
                to.WriteLine("WithyTriangleAttachmentDef " + sizeof(WithyTriangleAttachmentDef));
                to.WriteLine("WithyTriangleAttachmentDef.struct_size " + ((byte*)&x.struct_size - at) + " " + sizeof(uint));
                to.WriteLine("WithyTriangleAttachmentDef.flags " + ((byte*)&x.flags - at) + " " + sizeof(AttachFlags));
                to.WriteLine("WithyTriangleAttachmentDef.next " + ((byte*)&x.next - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyTriangleAttachmentDef.end " + ((byte*)&x.end - at) + " " + sizeof(WithyStrandEnd));
                to.WriteLine("WithyTriangleAttachmentDef.mesh " + ((byte*)&x.mesh - at) + " " + sizeof(WithyMesh));
                to.WriteLine("WithyTriangleAttachmentDef.triangle " + ((byte*)&x.triangle - at) + " " + sizeof(uint));
                to.WriteLine("WithyTriangleAttachmentDef.reserved " + ((byte*)&x.reserved - at) + " " + sizeof(uint));
                to.WriteLine("WithyTriangleAttachmentDef.barycentric " + ((byte*)x.barycentric - at) + " " + sizeof(double) * 3);
            }
            {
                var x = new WithyBodyAttachmentDef();
                var at = (byte*)&x;
                to.WriteLine("WithyBodyAttachmentDef " + sizeof(WithyBodyAttachmentDef));
                to.WriteLine("WithyBodyAttachmentDef.struct_size " + ((byte*)&x.struct_size - at) + " " + sizeof(uint));
                to.WriteLine("WithyBodyAttachmentDef.flags " + ((byte*)&x.flags - at) + " " + sizeof(AttachFlags));
                to.WriteLine("WithyBodyAttachmentDef.next " + ((byte*)&x.next - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyBodyAttachmentDef.end " + ((byte*)&x.end - at) + " " + sizeof(WithyStrandEnd));
                to.WriteLine("WithyBodyAttachmentDef.body " + ((byte*)&x.body - at) + " " + sizeof(WithyBody));
            }
            {
                var x = new WithyShapeDef();
                var at = (byte*)&x;
                to.WriteLine("WithyShapeDef " + sizeof(WithyShapeDef));
                to.WriteLine("WithyShapeDef.struct_size " + ((byte*)&x.struct_size - at) + " " + sizeof(uint));
                to.WriteLine("WithyShapeDef.flags " + ((byte*)&x.flags - at) + " " + sizeof(uint));
                to.WriteLine("WithyShapeDef.next " + ((byte*)&x.next - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyShapeDef.shape " + ((byte*)&x.shape - at) + " " + sizeof(Shape));
                to.WriteLine("WithyShapeDef.category " + ((byte*)&x.category - at) + " " + sizeof(uint));
                to.WriteLine("WithyShapeDef.mask " + ((byte*)&x.mask - at) + " " + sizeof(uint));
                to.WriteLine("WithyShapeDef.reserved " + ((byte*)&x.reserved - at) + " " + sizeof(uint));
                to.WriteLine("WithyShapeDef.pose " + ((byte*)&x.pose - at) + " " + sizeof(WithyPose));
                to.WriteLine("WithyShapeDef.radius " + ((byte*)&x.radius - at) + " " + sizeof(double));
                to.WriteLine("WithyShapeDef.radius_top " + ((byte*)&x.radius_top - at) + " " + sizeof(double));
                to.WriteLine("WithyShapeDef.half_height " + ((byte*)&x.half_height - at) + " " + sizeof(double));
                to.WriteLine("WithyShapeDef.half_extents " + ((byte*)&x.half_extents - at) + " " + sizeof(WithyVec3));
                to.WriteLine("WithyShapeDef.density " + ((byte*)&x.density - at) + " " + sizeof(double));
                to.WriteLine("WithyShapeDef.friction " + ((byte*)&x.friction - at) + " " + sizeof(double));
                to.WriteLine("WithyShapeDef.restitution " + ((byte*)&x.restitution - at) + " " + sizeof(double));
                to.WriteLine("WithyShapeDef.stiffness " + ((byte*)&x.stiffness - at) + " " + sizeof(double));
                to.WriteLine("WithyShapeDef.damping " + ((byte*)&x.damping - at) + " " + sizeof(double));
                to.WriteLine("WithyShapeDef.rolling_friction " + ((byte*)&x.rolling_friction - at) + " " + sizeof(double));
                to.WriteLine("WithyShapeDef.torsional_friction " + ((byte*)&x.torsional_friction - at) + " " + sizeof(double));
                to.WriteLine("WithyShapeDef.positions " + ((byte*)&x.positions - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyShapeDef.triangles " + ((byte*)&x.triangles - at) + " " + sizeof(WithySpan));
            }
            {
                var x = new WithyBodyDef();
                var at = (byte*)&x;
                to.WriteLine("WithyBodyDef " + sizeof(WithyBodyDef));
                to.WriteLine("WithyBodyDef.struct_size " + ((byte*)&x.struct_size - at) + " " + sizeof(uint));
                to.WriteLine("WithyBodyDef.flags " + ((byte*)&x.flags - at) + " " + sizeof(BodyFlags));
                to.WriteLine("WithyBodyDef.next " + ((byte*)&x.next - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyBodyDef.shapes " + ((byte*)&x.shapes - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyBodyDef.shape_count " + ((byte*)&x.shape_count - at) + " " + sizeof(uint));
                to.WriteLine("WithyBodyDef.motion " + ((byte*)&x.motion - at) + " " + sizeof(Motion));
                to.WriteLine("WithyBodyDef.pose " + ((byte*)&x.pose - at) + " " + sizeof(WithyPose));
                to.WriteLine("WithyBodyDef.velocity " + ((byte*)&x.velocity - at) + " " + sizeof(WithyVec3));
                to.WriteLine("WithyBodyDef.spin " + ((byte*)&x.spin - at) + " " + sizeof(WithyVec3));
                to.WriteLine("WithyBodyDef.mass " + ((byte*)&x.mass - at) + " " + sizeof(double));
                to.WriteLine("WithyBodyDef.center_of_mass " + ((byte*)&x.center_of_mass - at) + " " + sizeof(WithyVec3));
                to.WriteLine("WithyBodyDef.inertia " + ((byte*)x.inertia - at) + " " + sizeof(double) * 6);
                to.WriteLine("WithyBodyDef.gravity_scale " + ((byte*)&x.gravity_scale - at) + " " + sizeof(double));
                to.WriteLine("WithyBodyDef.linear_damping " + ((byte*)&x.linear_damping - at) + " " + sizeof(double));
                to.WriteLine("WithyBodyDef.angular_damping " + ((byte*)&x.angular_damping - at) + " " + sizeof(double));
                to.WriteLine("WithyBodyDef.max_speed " + ((byte*)&x.max_speed - at) + " " + sizeof(double));
                to.WriteLine("WithyBodyDef.group " + ((byte*)&x.group - at) + " " + sizeof(uint));
                to.WriteLine("WithyBodyDef.can_sleep " + ((byte*)&x.can_sleep - at) + " " + sizeof(uint));
                to.WriteLine("WithyBodyDef.continuous " + ((byte*)&x.continuous - at) + " " + sizeof(uint));
                to.WriteLine("WithyBodyDef.reserved " + ((byte*)&x.reserved - at) + " " + sizeof(uint));
            }
            {
                var x = new WithyContact();
                var at = (byte*)&x;
                to.WriteLine("WithyContact " + sizeof(WithyContact));
                to.WriteLine("WithyContact.body_a " + ((byte*)&x.body_a - at) + " " + sizeof(WithyBody));
                to.WriteLine("WithyContact.body_b " + ((byte*)&x.body_b - at) + " " + sizeof(WithyBody));
                to.WriteLine("WithyContact.collider " + ((byte*)&x.collider - at) + " " + sizeof(WithyCollider));
                to.WriteLine("WithyContact.position " + ((byte*)&x.position - at) + " " + sizeof(WithyVec3));
                to.WriteLine("WithyContact.normal " + ((byte*)&x.normal - at) + " " + sizeof(WithyVec3));
                to.WriteLine("WithyContact.separation " + ((byte*)&x.separation - at) + " " + sizeof(double));
                to.WriteLine("WithyContact.impulse " + ((byte*)&x.impulse - at) + " " + sizeof(double));
                to.WriteLine("WithyContact.force " + ((byte*)&x.force - at) + " " + sizeof(WithyVec3));
                to.WriteLine("WithyContact.torque " + ((byte*)&x.torque - at) + " " + sizeof(WithyVec3));
                to.WriteLine("WithyContact.approach " + ((byte*)&x.approach - at) + " " + sizeof(double));
            }
            {
                var x = new WithyCablePoint();
                var at = (byte*)&x;
                to.WriteLine("WithyCablePoint " + sizeof(WithyCablePoint));
                to.WriteLine("WithyCablePoint.body " + ((byte*)&x.body - at) + " " + sizeof(WithyBody));
                to.WriteLine("WithyCablePoint.position " + ((byte*)&x.position - at) + " " + sizeof(WithyVec3));
                to.WriteLine("WithyCablePoint.axis " + ((byte*)&x.axis - at) + " " + sizeof(WithyVec3));
                to.WriteLine("WithyCablePoint.radius " + ((byte*)&x.radius - at) + " " + sizeof(double));
            }
            {
                var x = new WithyColliderDef();
                var at = (byte*)&x;
                to.WriteLine("WithyColliderDef " + sizeof(WithyColliderDef));
                to.WriteLine("WithyColliderDef.struct_size " + ((byte*)&x.struct_size - at) + " " + sizeof(uint));
                to.WriteLine("WithyColliderDef.flags " + ((byte*)&x.flags - at) + " " + sizeof(uint));
                to.WriteLine("WithyColliderDef.next " + ((byte*)&x.next - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyColliderDef.shape " + ((byte*)&x.shape - at) + " " + sizeof(Shape));
                to.WriteLine("WithyColliderDef.category " + ((byte*)&x.category - at) + " " + sizeof(uint));
                to.WriteLine("WithyColliderDef.mask " + ((byte*)&x.mask - at) + " " + sizeof(uint));
                to.WriteLine("WithyColliderDef.reserved " + ((byte*)&x.reserved - at) + " " + sizeof(uint));
                to.WriteLine("WithyColliderDef.pose " + ((byte*)&x.pose - at) + " " + sizeof(WithyPose));
                to.WriteLine("WithyColliderDef.radius " + ((byte*)&x.radius - at) + " " + sizeof(double));
                to.WriteLine("WithyColliderDef.half_height " + ((byte*)&x.half_height - at) + " " + sizeof(double));
                to.WriteLine("WithyColliderDef.half_extents " + ((byte*)&x.half_extents - at) + " " + sizeof(WithyVec3));
                to.WriteLine("WithyColliderDef.friction " + ((byte*)&x.friction - at) + " " + sizeof(double));
                to.WriteLine("WithyColliderDef.radius_top " + ((byte*)&x.radius_top - at) + " " + sizeof(double));
            }
            {
                var x = new WithyStepStats();
                var at = (byte*)&x;
                to.WriteLine("WithyStepStats " + sizeof(WithyStepStats));
                to.WriteLine("WithyStepStats.steps " + ((byte*)&x.steps - at) + " " + sizeof(ulong));
                to.WriteLine("WithyStepStats.seconds_total " + ((byte*)&x.seconds_total - at) + " " + sizeof(double));
                to.WriteLine("WithyStepStats.seconds_prepare " + ((byte*)&x.seconds_prepare - at) + " " + sizeof(double));
                to.WriteLine("WithyStepStats.seconds_solve " + ((byte*)&x.seconds_solve - at) + " " + sizeof(double));
                to.WriteLine("WithyStepStats.seconds_report " + ((byte*)&x.seconds_report - at) + " " + sizeof(double));
                to.WriteLine("WithyStepStats.largest_strain " + ((byte*)&x.largest_strain - at) + " " + sizeof(double));
                to.WriteLine("WithyStepStats.largest_strain_rods " + ((byte*)&x.largest_strain_rods - at) + " " + sizeof(WithyRods));
                to.WriteLine("WithyStepStats.largest_strain_strand " + ((byte*)&x.largest_strain_strand - at) + " " + sizeof(uint));
                to.WriteLine("WithyStepStats.substeps " + ((byte*)&x.substeps - at) + " " + sizeof(uint));
                to.WriteLine("WithyStepStats.iterations " + ((byte*)&x.iterations - at) + " " + sizeof(uint));
                to.WriteLine("WithyStepStats.non_finite_strands " + ((byte*)&x.non_finite_strands - at) + " " + sizeof(uint));
                to.WriteLine("WithyStepStats.kinked_strands " + ((byte*)&x.kinked_strands - at) + " " + sizeof(uint));
                to.WriteLine("WithyStepStats.limited_strands " + ((byte*)&x.limited_strands - at) + " " + sizeof(uint));
                to.WriteLine("WithyStepStats.contacts " + ((byte*)&x.contacts - at) + " " + sizeof(uint));
                to.WriteLine("WithyStepStats.reserved " + ((byte*)&x.reserved - at) + " " + sizeof(uint));
                to.WriteLine("WithyStepStats.bodies " + ((byte*)&x.bodies - at) + " " + sizeof(uint));
                to.WriteLine("WithyStepStats.awake_bodies " + ((byte*)&x.awake_bodies - at) + " " + sizeof(uint));
                to.WriteLine("WithyStepStats.islands " + ((byte*)&x.islands - at) + " " + sizeof(uint));
                to.WriteLine("WithyStepStats.body_contacts " + ((byte*)&x.body_contacts - at) + " " + sizeof(uint));
                to.WriteLine("WithyStepStats.non_finite_bodies " + ((byte*)&x.non_finite_bodies - at) + " " + sizeof(uint));
                to.WriteLine("WithyStepStats.joints " + ((byte*)&x.joints - at) + " " + sizeof(uint));
                to.WriteLine("WithyStepStats.pairs_left_out " + ((byte*)&x.pairs_left_out - at) + " " + sizeof(ulong));
                to.WriteLine("WithyStepStats.seconds_bodies " + ((byte*)&x.seconds_bodies - at) + " " + sizeof(double));
            }
            {
                var x = new WithyMotor();
                var at = (byte*)&x;
                to.WriteLine("WithyMotor " + sizeof(WithyMotor));
                to.WriteLine("WithyMotor.stiffness " + ((byte*)x.stiffness - at) + " " + sizeof(double) * 3);
                to.WriteLine("WithyMotor.damping " + ((byte*)x.damping - at) + " " + sizeof(double) * 3);
                to.WriteLine("WithyMotor.target " + ((byte*)&x.target - at) + " " + sizeof(WithyQuat));
                to.WriteLine("WithyMotor.speed " + ((byte*)x.speed - at) + " " + sizeof(double) * 3);
                to.WriteLine("WithyMotor.max_torque " + ((byte*)&x.max_torque - at) + " " + sizeof(double));
            }
            {
                var x = new WithyJointDef();
                var at = (byte*)&x;
                to.WriteLine("WithyJointDef " + sizeof(WithyJointDef));
                to.WriteLine("WithyJointDef.struct_size " + ((byte*)&x.struct_size - at) + " " + sizeof(uint));
                to.WriteLine("WithyJointDef.flags " + ((byte*)&x.flags - at) + " " + sizeof(JointFlags));
                to.WriteLine("WithyJointDef.next " + ((byte*)&x.next - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyJointDef.body_a " + ((byte*)&x.body_a - at) + " " + sizeof(WithyBody));
                to.WriteLine("WithyJointDef.body_b " + ((byte*)&x.body_b - at) + " " + sizeof(WithyBody));
                to.WriteLine("WithyJointDef.frame_a " + ((byte*)&x.frame_a - at) + " " + sizeof(WithyPose));
                to.WriteLine("WithyJointDef.frame_b " + ((byte*)&x.frame_b - at) + " " + sizeof(WithyPose));
                to.WriteLine("WithyJointDef.kind " + ((byte*)&x.kind - at) + " " + sizeof(JointKind));
                to.WriteLine("WithyJointDef.collide " + ((byte*)&x.collide - at) + " " + sizeof(uint));
                to.WriteLine("WithyJointDef.swing " + ((byte*)x.swing - at) + " " + sizeof(double) * 2);
                to.WriteLine("WithyJointDef.twist " + ((byte*)x.twist - at) + " " + sizeof(double) * 2);
                to.WriteLine("WithyJointDef.least " + ((byte*)&x.least - at) + " " + sizeof(double));
                to.WriteLine("WithyJointDef.most " + ((byte*)&x.most - at) + " " + sizeof(double));
                to.WriteLine("WithyJointDef.arc " + ((byte*)&x.arc - at) + " " + sizeof(WithyArc));
                to.WriteLine("WithyJointDef.motor " + ((byte*)&x.motor - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyJointDef.break_force " + ((byte*)&x.break_force - at) + " " + sizeof(double));
                to.WriteLine("WithyJointDef.break_torque " + ((byte*)&x.break_torque - at) + " " + sizeof(double));
            }
            {
                var x = new WithyMeshDef();
                var at = (byte*)&x;
                to.WriteLine("WithyMeshDef " + sizeof(WithyMeshDef));
                to.WriteLine("WithyMeshDef.struct_size " + ((byte*)&x.struct_size - at) + " " + sizeof(uint));
                to.WriteLine("WithyMeshDef.flags " + ((byte*)&x.flags - at) + " " + sizeof(MeshFlags));
                to.WriteLine("WithyMeshDef.next " + ((byte*)&x.next - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyMeshDef.positions " + ((byte*)&x.positions - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyMeshDef.triangles " + ((byte*)&x.triangles - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyMeshDef.inv_masses " + ((byte*)&x.inv_masses - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyMeshDef.extra_edges " + ((byte*)&x.extra_edges - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyMeshDef.edge_compliance " + ((byte*)&x.edge_compliance - at) + " " + sizeof(double));
                to.WriteLine("WithyMeshDef.drag " + ((byte*)&x.drag - at) + " " + sizeof(double));
                to.WriteLine("WithyMeshDef.friction " + ((byte*)&x.friction - at) + " " + sizeof(double));
                to.WriteLine("WithyMeshDef.category " + ((byte*)&x.category - at) + " " + sizeof(uint));
                to.WriteLine("WithyMeshDef.mask " + ((byte*)&x.mask - at) + " " + sizeof(uint));
            }
            {
                var x = new WithyMuscleDef();
                var at = (byte*)&x;
                to.WriteLine("WithyMuscleDef " + sizeof(WithyMuscleDef));
                to.WriteLine("WithyMuscleDef.struct_size " + ((byte*)&x.struct_size - at) + " " + sizeof(uint));
                to.WriteLine("WithyMuscleDef.flags " + ((byte*)&x.flags - at) + " " + sizeof(RodsFlags));
                to.WriteLine("WithyMuscleDef.next " + ((byte*)&x.next - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyMuscleDef.positions " + ((byte*)&x.positions - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyMuscleDef.radii " + ((byte*)&x.radii - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyMuscleDef.origin " + ((byte*)&x.origin - at) + " " + sizeof(WithyBody));
                to.WriteLine("WithyMuscleDef.insertion " + ((byte*)&x.insertion - at) + " " + sizeof(WithyBody));
                to.WriteLine("WithyMuscleDef.radius " + ((byte*)&x.radius - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleDef.young_modulus " + ((byte*)&x.young_modulus - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleDef.poisson_ratio " + ((byte*)&x.poisson_ratio - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleDef.density " + ((byte*)&x.density - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleDef.damping " + ((byte*)&x.damping - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleDef.viscosity " + ((byte*)&x.viscosity - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleDef.friction " + ((byte*)&x.friction - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleDef.bundle_stiffness " + ((byte*)&x.bundle_stiffness - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleDef.shortest " + ((byte*)&x.shortest - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleDef.origin_tendon " + ((byte*)&x.origin_tendon - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleDef.insertion_tendon " + ((byte*)&x.insertion_tendon - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleDef.tendon_modulus " + ((byte*)&x.tendon_modulus - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleDef.peak_force " + ((byte*)&x.peak_force - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleDef.optimal_ratio " + ((byte*)&x.optimal_ratio - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleDef.max_velocity " + ((byte*)&x.max_velocity - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleDef.pennation " + ((byte*)&x.pennation - at) + " " + sizeof(double));
                to.WriteLine("WithyMuscleDef.strands " + ((byte*)&x.strands - at) + " " + sizeof(uint));
                to.WriteLine("WithyMuscleDef.mode " + ((byte*)&x.mode - at) + " " + sizeof(MuscleMode));
                to.WriteLine("WithyMuscleDef.category " + ((byte*)&x.category - at) + " " + sizeof(uint));
                to.WriteLine("WithyMuscleDef.mask " + ((byte*)&x.mask - at) + " " + sizeof(uint));
            }
            {
                var x = new WithyMuscleEnd();
                var at = (byte*)&x;
                to.WriteLine("WithyMuscleEnd " + sizeof(WithyMuscleEnd));
                to.WriteLine("WithyMuscleEnd.points " + ((byte*)&x.points - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyMuscleEnd.vertices " + ((byte*)&x.vertices - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyMuscleEnd.plane_point " + ((byte*)&x.plane_point - at) + " " + sizeof(WithyVec3));
                to.WriteLine("WithyMuscleEnd.plane_normal " + ((byte*)&x.plane_normal - at) + " " + sizeof(WithyVec3));
            }
            {
                var x = new WithyMuscleMeshDef();
                var at = (byte*)&x;
                to.WriteLine("WithyMuscleMeshDef " + sizeof(WithyMuscleMeshDef));
                to.WriteLine("WithyMuscleMeshDef.struct_size " + ((byte*)&x.struct_size - at) + " " + sizeof(uint));
                to.WriteLine("WithyMuscleMeshDef.flags " + ((byte*)&x.flags - at) + " " + sizeof(uint));
                to.WriteLine("WithyMuscleMeshDef.next " + ((byte*)&x.next - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyMuscleMeshDef.positions " + ((byte*)&x.positions - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyMuscleMeshDef.triangles " + ((byte*)&x.triangles - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyMuscleMeshDef.origin " + ((byte*)&x.origin - at) + " " + sizeof(WithyMuscleEnd));
                to.WriteLine("WithyMuscleMeshDef.insertion " + ((byte*)&x.insertion - at) + " " + sizeof(WithyMuscleEnd));
                to.WriteLine("WithyMuscleMeshDef.strands " + ((byte*)&x.strands - at) + " " + sizeof(uint));
                to.WriteLine("WithyMuscleMeshDef.slices " + ((byte*)&x.slices - at) + " " + sizeof(uint));
            }
            {
                var x = new WithyRegionDef();
                var at = (byte*)&x;
                to.WriteLine("WithyRegionDef " + sizeof(WithyRegionDef));
                to.WriteLine("WithyRegionDef.struct_size " + ((byte*)&x.struct_size - at) + " " + sizeof(uint));
                to.WriteLine("WithyRegionDef.flags " + ((byte*)&x.flags - at) + " " + sizeof(RegionFlags));
                to.WriteLine("WithyRegionDef.next " + ((byte*)&x.next - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyRegionDef.first " + ((byte*)&x.first - at) + " " + sizeof(uint));
                to.WriteLine("WithyRegionDef.last " + ((byte*)&x.last - at) + " " + sizeof(uint));
                to.WriteLine("WithyRegionDef.anchor_a " + ((byte*)&x.anchor_a - at) + " " + sizeof(WithyVec3));
                to.WriteLine("WithyRegionDef.anchor_b " + ((byte*)&x.anchor_b - at) + " " + sizeof(WithyVec3));
                to.WriteLine("WithyRegionDef.axis " + ((byte*)&x.axis - at) + " " + sizeof(WithyVec3));
                to.WriteLine("WithyRegionDef.arc " + ((byte*)&x.arc - at) + " " + sizeof(WithyArc));
                to.WriteLine("WithyRegionDef.swing " + ((byte*)x.swing - at) + " " + sizeof(double) * 2);
                to.WriteLine("WithyRegionDef.twist " + ((byte*)x.twist - at) + " " + sizeof(double) * 2);
                to.WriteLine("WithyRegionDef.rest " + ((byte*)&x.rest - at) + " " + sizeof(RegionRest));
                to.WriteLine("WithyRegionDef.read_back " + ((byte*)&x.read_back - at) + " " + sizeof(ReadBack));
                to.WriteLine("WithyRegionDef.collide " + ((byte*)&x.collide - at) + " " + sizeof(uint));
                to.WriteLine("WithyRegionDef.reserved " + ((byte*)&x.reserved - at) + " " + sizeof(uint));
            }
            {
                var x = new WithyRagdollDef();
                var at = (byte*)&x;
                to.WriteLine("WithyRagdollDef " + sizeof(WithyRagdollDef));
                to.WriteLine("WithyRagdollDef.struct_size " + ((byte*)&x.struct_size - at) + " " + sizeof(uint));
                to.WriteLine("WithyRagdollDef.flags " + ((byte*)&x.flags - at) + " " + sizeof(RagdollFlags));
                to.WriteLine("WithyRagdollDef.next " + ((byte*)&x.next - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyRagdollDef.parents " + ((byte*)&x.parents - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyRagdollDef.positions " + ((byte*)&x.positions - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyRagdollDef.rotations " + ((byte*)&x.rotations - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyRagdollDef.bodies " + ((byte*)&x.bodies - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyRagdollDef.regions " + ((byte*)&x.regions - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyRagdollDef.body_count " + ((byte*)&x.body_count - at) + " " + sizeof(uint));
                to.WriteLine("WithyRagdollDef.region_count " + ((byte*)&x.region_count - at) + " " + sizeof(uint));
                to.WriteLine("WithyRagdollDef.apart " + ((byte*)&x.apart - at) + " " + sizeof(WithySpan));
            }
            {
                var x = new WithyRagdollDrive();
                var at = (byte*)&x;
                to.WriteLine("WithyRagdollDrive " + sizeof(WithyRagdollDrive));
                to.WriteLine("WithyRagdollDrive.stiffness " + ((byte*)&x.stiffness - at) + " " + sizeof(double));
                to.WriteLine("WithyRagdollDrive.damping " + ((byte*)&x.damping - at) + " " + sizeof(double));
                to.WriteLine("WithyRagdollDrive.max_torque " + ((byte*)&x.max_torque - at) + " " + sizeof(double));
                to.WriteLine("WithyRagdollDrive.scale " + ((byte*)&x.scale - at) + " " + sizeof(WithySpan));
            }
            {
                var x = new WithyRenderHairDef();
                var at = (byte*)&x;
                to.WriteLine("WithyRenderHairDef " + sizeof(WithyRenderHairDef));
                to.WriteLine("WithyRenderHairDef.struct_size " + ((byte*)&x.struct_size - at) + " " + sizeof(uint));
                to.WriteLine("WithyRenderHairDef.flags " + ((byte*)&x.flags - at) + " " + sizeof(uint));
                to.WriteLine("WithyRenderHairDef.next " + ((byte*)&x.next - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyRenderHairDef.rods " + ((byte*)&x.rods - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyRenderHairDef.rods_count " + ((byte*)&x.rods_count - at) + " " + sizeof(uint));
                to.WriteLine("WithyRenderHairDef.per_guide " + ((byte*)&x.per_guide - at) + " " + sizeof(uint));
                to.WriteLine("WithyRenderHairDef.positions " + ((byte*)&x.positions - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyRenderHairDef.counts " + ((byte*)&x.counts - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyRenderHairDef.widths " + ((byte*)&x.widths - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyRenderHairDef.guides " + ((byte*)&x.guides - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyRenderHairDef.weights " + ((byte*)&x.weights - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyRenderHairDef.scalp_positions " + ((byte*)&x.scalp_positions - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyRenderHairDef.scalp_triangles " + ((byte*)&x.scalp_triangles - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyRenderHairDef.seed " + ((byte*)&x.seed - at) + " " + sizeof(ulong));
                to.WriteLine("WithyRenderHairDef.vertices " + ((byte*)&x.vertices - at) + " " + sizeof(uint));
                to.WriteLine("WithyRenderHairDef.reserved " + ((byte*)&x.reserved - at) + " " + sizeof(uint));
                to.WriteLine("WithyRenderHairDef.clump " + ((byte*)&x.clump - at) + " " + sizeof(double));
                to.WriteLine("WithyRenderHairDef.shorten " + ((byte*)&x.shorten - at) + " " + sizeof(double));
                to.WriteLine("WithyRenderHairDef.width " + ((byte*)&x.width - at) + " " + sizeof(double));
                to.WriteLine("WithyRenderHairDef.parting " + ((byte*)&x.parting - at) + " " + sizeof(double));
            }
            {
                var x = new WithyRodsDef();
                var at = (byte*)&x;
                to.WriteLine("WithyRodsDef " + sizeof(WithyRodsDef));
                to.WriteLine("WithyRodsDef.struct_size " + ((byte*)&x.struct_size - at) + " " + sizeof(uint));
                to.WriteLine("WithyRodsDef.flags " + ((byte*)&x.flags - at) + " " + sizeof(RodsFlags));
                to.WriteLine("WithyRodsDef.next " + ((byte*)&x.next - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithyRodsDef.positions " + ((byte*)&x.positions - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyRodsDef.counts " + ((byte*)&x.counts - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyRodsDef.rest_positions " + ((byte*)&x.rest_positions - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyRodsDef.velocities " + ((byte*)&x.velocities - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyRodsDef.radii " + ((byte*)&x.radii - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyRodsDef.section_axes " + ((byte*)&x.section_axes - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyRodsDef.stiffness_scale " + ((byte*)&x.stiffness_scale - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyRodsDef.rest_lengths " + ((byte*)&x.rest_lengths - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyRodsDef.rest_darboux " + ((byte*)&x.rest_darboux - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithyRodsDef.radius " + ((byte*)&x.radius - at) + " " + sizeof(double));
                to.WriteLine("WithyRodsDef.aspect " + ((byte*)&x.aspect - at) + " " + sizeof(double));
                to.WriteLine("WithyRodsDef.young_modulus " + ((byte*)&x.young_modulus - at) + " " + sizeof(double));
                to.WriteLine("WithyRodsDef.shear_modulus " + ((byte*)&x.shear_modulus - at) + " " + sizeof(double));
                to.WriteLine("WithyRodsDef.alpha_bend1 " + ((byte*)&x.alpha_bend1 - at) + " " + sizeof(double));
                to.WriteLine("WithyRodsDef.alpha_bend2 " + ((byte*)&x.alpha_bend2 - at) + " " + sizeof(double));
                to.WriteLine("WithyRodsDef.alpha_twist " + ((byte*)&x.alpha_twist - at) + " " + sizeof(double));
                to.WriteLine("WithyRodsDef.alpha_stretch " + ((byte*)&x.alpha_stretch - at) + " " + sizeof(double));
                to.WriteLine("WithyRodsDef.density " + ((byte*)&x.density - at) + " " + sizeof(double));
                to.WriteLine("WithyRodsDef.ghost_distance " + ((byte*)&x.ghost_distance - at) + " " + sizeof(double));
                to.WriteLine("WithyRodsDef.ghost_mass_ratio " + ((byte*)&x.ghost_mass_ratio - at) + " " + sizeof(double));
                to.WriteLine("WithyRodsDef.damping " + ((byte*)&x.damping - at) + " " + sizeof(double));
                to.WriteLine("WithyRodsDef.drag " + ((byte*)&x.drag - at) + " " + sizeof(double));
                to.WriteLine("WithyRodsDef.wind " + ((byte*)&x.wind - at) + " " + sizeof(WithyVec3));
                to.WriteLine("WithyRodsDef.friction " + ((byte*)&x.friction - at) + " " + sizeof(double));
                to.WriteLine("WithyRodsDef.collision_radius " + ((byte*)&x.collision_radius - at) + " " + sizeof(double));
                to.WriteLine("WithyRodsDef.max_speed " + ((byte*)&x.max_speed - at) + " " + sizeof(double));
                to.WriteLine("WithyRodsDef.stiffness " + ((byte*)&x.stiffness - at) + " " + sizeof(Stiffness));
                to.WriteLine("WithyRodsDef.rest_shape " + ((byte*)&x.rest_shape - at) + " " + sizeof(Rest));
                to.WriteLine("WithyRodsDef.order " + ((byte*)&x.order - at) + " " + sizeof(Order));
                to.WriteLine("WithyRodsDef.root " + ((byte*)&x.root - at) + " " + sizeof(Support));
                to.WriteLine("WithyRodsDef.tip " + ((byte*)&x.tip - at) + " " + sizeof(Support));
                to.WriteLine("WithyRodsDef.iterations " + ((byte*)&x.iterations - at) + " " + sizeof(uint));
                to.WriteLine("WithyRodsDef.category " + ((byte*)&x.category - at) + " " + sizeof(uint));
                to.WriteLine("WithyRodsDef.mask " + ((byte*)&x.mask - at) + " " + sizeof(uint));
                to.WriteLine("WithyRodsDef.model " + ((byte*)&x.model - at) + " " + sizeof(Model));
                to.WriteLine("WithyRodsDef.integrator " + ((byte*)&x.integrator - at) + " " + sizeof(Integrator));
                to.WriteLine("WithyRodsDef.stretch_modulus " + ((byte*)&x.stretch_modulus - at) + " " + sizeof(double));
                to.WriteLine("WithyRodsDef.viscosity " + ((byte*)&x.viscosity - at) + " " + sizeof(double));
                to.WriteLine("WithyRodsDef.poisson_ratio " + ((byte*)&x.poisson_ratio - at) + " " + sizeof(double));
            }
            {
                var x = new WithySkinDef();
                var at = (byte*)&x;
                to.WriteLine("WithySkinDef " + sizeof(WithySkinDef));
                to.WriteLine("WithySkinDef.struct_size " + ((byte*)&x.struct_size - at) + " " + sizeof(uint));
                to.WriteLine("WithySkinDef.flags " + ((byte*)&x.flags - at) + " " + sizeof(uint));
                to.WriteLine("WithySkinDef.next " + ((byte*)&x.next - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithySkinDef.positions " + ((byte*)&x.positions - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithySkinDef.triangles " + ((byte*)&x.triangles - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithySkinDef.normals " + ((byte*)&x.normals - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithySkinDef.tangents " + ((byte*)&x.tangents - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithySkinDef.rods " + ((byte*)&x.rods - at) + " " + sizeof(System.IntPtr));
                to.WriteLine("WithySkinDef.rods_count " + ((byte*)&x.rods_count - at) + " " + sizeof(uint));
                to.WriteLine("WithySkinDef.reserved " + ((byte*)&x.reserved - at) + " " + sizeof(uint));
                to.WriteLine("WithySkinDef.edges " + ((byte*)&x.edges - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithySkinDef.weights " + ((byte*)&x.weights - at) + " " + sizeof(WithySpan));
                to.WriteLine("WithySkinDef.softness " + ((byte*)&x.softness - at) + " " + sizeof(double));
                to.WriteLine("WithySkinDef.fairing " + ((byte*)&x.fairing - at) + " " + sizeof(double));
            }
        }
    }
}
