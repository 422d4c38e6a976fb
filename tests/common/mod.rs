//! What several tests of `io` share: the real files that nobody here made, and small ones built in memory.
#![allow(dead_code)]

use std::path::PathBuf;

/// A file of the shared data (`WITHY_DATA`, or `../shared/data` beside the checkout). `None`, and a line that says so,
/// where it is absent.
pub fn shared(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("WITHY_DATA").map(PathBuf::from);
    let root = root.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data"));
    let file = root.join(path);
    if !file.exists() {
        println!("skipped: no shared data ({path})");
        return None;
    }
    Some(file)
}

pub fn put_u32(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

pub fn put_f32(bytes: &mut [u8], at: usize, value: f32) {
    put_u32(bytes, at, value.to_bits());
}

/// `strands` of `vertices` along x, a unit apart; strand s at z = s.
pub fn tfx(version: u32, strands: u32, vertices: u32) -> Vec<u8> {
    let (header, stride) = if version == 3 { (296, 12) } else { (160, 16) };
    let mut bytes = vec![0; header + (strands * vertices) as usize * stride];
    put_f32(&mut bytes, 0, version as f32);
    put_u32(&mut bytes, 4, strands);
    put_u32(&mut bytes, 8, vertices);
    put_u32(&mut bytes, if version == 3 { 144 } else { 12 }, header as u32);
    for index in 0..(strands * vertices) as usize {
        let at = header + index * stride;
        put_f32(&mut bytes, at, (index as u32 % vertices) as f32);
        put_f32(&mut bytes, at + 8, (index as u32 / vertices) as f32);
    }
    bytes
}

/// A `.hair` file with strands of the given segments along z; thickness 0.1 per point if `thickness`.
pub fn hair(segments: &[u16], thickness: bool) -> Vec<u8> {
    let points: u32 = segments.iter().map(|&count| u32::from(count) + 1).sum();
    let mut bytes = vec![0; 128];
    bytes[..4].copy_from_slice(b"HAIR");
    put_u32(&mut bytes, 4, segments.len() as u32);
    put_u32(&mut bytes, 8, points);
    put_u32(&mut bytes, 12, 0b011 | if thickness { 0b100 } else { 0 });
    put_f32(&mut bytes, 20, 0.5);
    for count in segments {
        bytes.extend_from_slice(&count.to_le_bytes());
    }
    for (strand, &count) in segments.iter().enumerate() {
        for vertex in 0..=count {
            for value in [strand as f32, 0.0, f32::from(vertex)] {
                bytes.extend_from_slice(&value.to_le_bytes());
            }
        }
    }
    for _ in 0..if thickness { points } else { 0 } {
        bytes.extend_from_slice(&0.1f32.to_le_bytes());
    }
    bytes
}

/// A `.usda` layer that uses much of the grammar on few bytes.
pub const USDA: &str = r#"#usda 1.0
(
    """A comment; with "quotes"."""
    defaultPrim = "Root"
    metersPerUnit = 0.01
    upAxis = "Z"
    customLayerData = { string note = 'a } brace' }
)
def Xform "Root" (kind = "component"; prepend apiSchemas = ["A", "B"])
{
    double3 xformOp:translate = (1, 2, 3)
    float3 xformOp:rotateXYZ = (0, 0, 90)
    matrix4d xformOp:transform = ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1) )
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateXYZ", "xformOp:transform"]
    rel material:binding = </Root/Looks> # a comment
    asset texture = @./a.png@
    def BasisCurves "Cubic"
    {
        uniform token basis = "bspline"
        int[] curveVertexCounts = [4, 5]
        point3f[] points.timeSamples = {
            2: [(9, 9, 9)],
            1: [(0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0), (0, 1, 0), (1, 1, 0), (2, 1, 1e0), (3, 1, 0), (4, 1, 0),],
        }
        uniform token type = "cubic"
        float[] widths = [0.1, 0.2] ( interpolation = "uniform" )
        uniform token wrap = "pinned"
    }
    def BasisCurves "Linear"
    {
        uniform token type = "linear"
        int[] curveVertexCounts = [2]
        point3f[] points = [(0, 0, 0), (0, 0, -1)]
        float[] widths = [0.5] (
            interpolation = "constant"
        )
    }
}
"#;

pub const OBJ: &str = "# two triangles\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0.5\nvt 0 0\nf 1/1 2/1 3//2 -1\n";

/// A skeleton of four bones in two frames: orders of rotations, positions of a joint, names of two words.
pub const BVH: &str = "HIERARCHY
ROOT Hips
{
    OFFSET 0 0 0
    CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
    JOINT Left Leg
    {
        OFFSET 1 -2 0
        CHANNELS 1 Xrotation
        End Site
        {
            OFFSET 0 -1 0.5
        }
    }
    JOINT Chest {
        OFFSET 0 2 0
        CHANNELS 3 Xrotation Yrotation Zrotation
        JOINT Head
        {
            OFFSET 0.1 1 -0.1
            CHANNELS 4 Yposition Zrotation Yrotation Xrotation
            End Site
            {
                OFFSET 0 0.25 0
            }
        }
    }
}
MOTION
Frames: 2
Frame Time: 0.25
0 0 0  0 0 0  0  0 0 0  1 0 0 0
1 2 3  30 -20 400  15  10 20 30  3 0 90 -1e2
";

/// A ragdoll of three bodies: pointers in the new and the old way, a compound, a hull, a child before its parent.
pub const TOF_RAGDOLL: &str = r#"TOS 1.00

declare RagdollSettings 2
  mSkeleton pointer Skeleton
  mParts array instance RagdollSettings::Part

declare Skeleton 1
  mJoints array instance Skeleton::Joint

declare Skeleton::Joint 2
  mName string
  mParentName string

declare RagdollSettings::Part 14
  mPosition vec3
  mRotation quat
  mShape instance ShapeSettings
  mCollisionGroup instance CollisionGroup
  mMotionType uint32
  mAllowSleeping bool
  mFriction float
  mRestitution float
  mLinearDamping float
  mAngularDamping float
  mGravityFactor float
  mOverrideMassProperties uint32
  mMassPropertiesOverride instance MassProperties
  mToParent pointer TwoBodyConstraintSettings

declare CollisionGroup 3
  mGroupFilter instance GroupFilter
  mGroupID uint32
  mSubGroupID uint32

declare MassProperties 2
  mMass float
  mInertia mat44

declare GroupFilterTable 2
  mNumSubGroups uint32
  mTable array uint8

declare StaticCompoundShapeSettings 1
  mSubShapes array instance CompoundShapeSettings::SubShapeSettings

declare CompoundShapeSettings::SubShapeSettings 3
  mShape instance ShapeSettings
  mPosition vec3
  mRotation quat

declare RotatedTranslatedShapeSettings 3
  mInnerShape pointer ShapeSettings
  mPosition vec3
  mRotation quat

declare BoxShapeSettings 2
  mDensity float
  mHalfExtent vec3

declare ConvexHullShapeSettings 2
  mDensity float
  mPoints array vec3

declare SphereShapeSettings 2
  mDensity float
  mRadius float

declare TaperedCapsuleShapeSettings 4
  mDensity float
  mHalfHeightOfTaperedCylinder float
  mTopRadius float
  mBottomRadius float

declare MotorSettings 4
  mFrequency float
  mDamping float
  mMinTorqueLimit float
  mMaxTorqueLimit float

declare SwingTwistConstraintSettings 13
  mPosition1 vec3
  mTwistAxis1 vec3
  mPlaneAxis1 vec3
  mPosition2 vec3
  mTwistAxis2 vec3
  mPlaneAxis2 vec3
  mNormalHalfConeAngle float
  mPlaneHalfConeAngle float
  mTwistMinAngle float
  mTwistMaxAngle float
  mMaxFrictionTorque float
  mSwingMotorSettings instance MotorSettings
  mTwistMotorSettings instance MotorSettings

object RagdollSettings 00000001
  00000002
  3
      0 1 0
      0 0 0 1
      0000000A
        00000004
        7
        0
      1 false 0 0 0 0 1 0
        0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
      00000000
      0.1 0.4 0
      0 0 0 1
      0000000B
        00000004
        7
        2
      2 true 0 0 0 0 1 0
        0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
      00000006
      0.1 0.9 0
      0 0 1 0
      0000000C
        00000004
        7
        1
      2 true 0.25 0.5 0.125 0.75 1 1
        5.5 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
      00000005

object Skeleton 00000002
  3
      "hips"
      ""
      "foot"
      "a \"leg\""
      "a \"leg\""
      "hips"

object GroupFilterTable 00000004
  3
  1
    2

object SwingTwistConstraintSettings 00000005
  0.1 0.9 0
  0 -1 0
  0 0 1
  0.1 0.9 0
  0 -1 0
  0 0 1
  0.75 0.5 -0.5 0.25 5
  20 2 -1000 900
  20 2 -1000 900

object SwingTwistConstraintSettings 00000006
  0.1 0.4 0
  0 -1 0
  0 0 1
  0.1 0.4 0
  0 -1 0
  0 0 1
  0.75 0.5 -0.5 0.25 5
  20 2 -1000 900
  20 2 -1000 900

object StaticCompoundShapeSettings 0000000A
  2
    0000000D
    0 0.05 0
    0 0 0 1
    0000000E
    1 0 0
    0 0 0 1

object SphereShapeSettings 0000000B
  1000 0.1

object TaperedCapsuleShapeSettings 0000000C
  1000 0.2 0.05 0.08

object BoxShapeSettings 0000000D
  1000 0.2 0.1 0.1

object RotatedTranslatedShapeSettings 0000000E
  0000000F
  0 0.3 0
  0.7071067811865476 0 0 0.7071067811865476

object ConvexHullShapeSettings 0000000F
  1000
  4
    0 0 0
    1 0 0
    0 1 0
    0 0 0.1
"#;

/// Two joints with keys at different times.
pub const TOF_ANIMATION: &str = r#"TOS 1.00

declare SkeletalAnimation 1
  mAnimatedJoints array instance SkeletalAnimation::AnimatedJoint

declare SkeletalAnimation::AnimatedJoint 2
  mJointName string
  mKeyframes array instance SkeletalAnimation::Keyframe

declare SkeletalAnimation::Keyframe 3
  mRotation quat
  mTranslation vec3
  mTime float

object SkeletalAnimation 00000001
  2
      "hips"
      2
          0 0 0 1
          0 1 0
          0
          0 0 1 0
          0 2 0
          1.0
      "foot"
      1
          0 0 0 1
          0 0.25 0
          0.5
"#;

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, at| bits << 8 | u32::from(*three.get(at).unwrap_or(&0)));
        for digit in 0..4 {
            let is_there = digit <= three.len();
            text.push(if is_there { DIGITS[(bits >> (18 - 6 * digit) & 63) as usize] as char } else { '=' });
        }
    }
    text
}

const GLTF_NODES: &str = r#"{
  "asset": {"version": "2.0"},
  "scenes": [{"nodes": [0]}],
  "nodes": [
    {"name": "root", "translation": [0, 1, 0], "scale": [2, 2, 2], "children": [1, 3]},
    {"name": "hip", "translation": [0.5, 0, 0], "children": [2]},
    {"name": "knee", "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -0.5, 0, 1]},
    {"mesh": 0, "skin": 0}
  ],
  "meshes": [{"primitives": [{"attributes": {"POSITION": 1, "JOINTS_0": 2, "WEIGHTS_0": 3, "NORMAL": 1}, "indices": 4}]}],
  "skins": [{"joints": [2, 1], "inverseBindMatrices": 0}],
  "animations": [{"name": "kick", "channels": [
      {"sampler": 0, "target": {"node": 2, "path": "rotation"}},
      {"sampler": 1, "target": {"node": 1, "path": "translation"}},
      {"sampler": 2, "target": {"node": 2, "path": "translation"}}
    ], "samplers": [
      {"input": 5, "output": 6},
      {"input": 7, "output": 8, "interpolation": "STEP"},
      {"input": 5, "output": 9, "interpolation": "CUBICSPLINE"}
    ]}],
"#;

/// A leg of two joints on a scaled root, with a triangle, and a motion of each interpolation: the JSON and the buffer.
fn gltf_parts() -> (String, Vec<u8>) {
    let mut data: Vec<u8> = Vec::new();
    let (mut accessors, mut views) = (Vec::new(), Vec::new());
    let mut add = |kind: &str, component: u32, more: &str, count: usize, bytes: Vec<u8>| {
        accessors.push(format!(
            r#"{{"bufferView": {}, "componentType": {component}, "count": {count}, "type": "{kind}"{more}}}"#,
            views.len()
        ));
        views.push(format!(r#"{{"buffer": 0, "byteOffset": {}, "byteLength": {}}}"#, data.len(), bytes.len()));
        data.extend(bytes);
        data.resize(data.len().next_multiple_of(4), 0);
    };
    let floats = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    // World to knee (1, 0, 0), and to hip (1, 1, 0), by half.
    let mut inverse = [0.0; 32];
    for (first, at) in [(0, [1.0, 0.0, 0.0]), (16, [1.0, 1.0, 0.0])] {
        for axis in 0..3 {
            inverse[first + 5 * axis] = 0.5;
            inverse[first + 12 + axis] = -0.5 * at[axis];
        }
        inverse[first + 15] = 1.0;
    }
    add("MAT4", 5126, "", 2, floats(&inverse));
    add("VEC3", 5126, "", 3, floats(&[1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.5, -0.5, 0.25]));
    add("VEC4", 5121, "", 3, vec![1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
    add("VEC4", 5121, r#", "normalized": true"#, 3, vec![255, 0, 0, 0, 51, 204, 0, 0, 255, 0, 0, 0]);
    add("SCALAR", 5123, "", 3, vec![0, 0, 1, 0, 2, 0]);
    add("SCALAR", 5126, "", 2, floats(&[0.0, 1.0]));
    let half = std::f32::consts::FRAC_1_SQRT_2;
    add("VEC4", 5126, "", 2, floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half, half]));
    add("SCALAR", 5126, "", 2, floats(&[0.0, 0.5]));
    add("VEC3", 5126, "", 2, floats(&[0.5, 0.0, 0.0, 0.5, 1.0, 0.0]));
    let zero = [0.0; 3];
    let keys = [zero, [0.0, -0.5, 0.0], zero, zero, [0.0, -1.5, 0.0], zero];
    add("VEC3", 5126, "", 6, floats(keys.as_flattened()));
    let json = format!("{GLTF_NODES}  \"accessors\": [{}],\n  \"bufferViews\": [{}],\n", accessors.join(", "), views.join(", "));
    (json, data)
}

pub fn gltf() -> String {
    let (json, data) = gltf_parts();
    let (length, text) = (data.len(), base64(&data));
    format!("{json}  \"buffers\": [{{\"byteLength\": {length}, \"uri\": \"data:application/octet-stream;base64,{text}\"}}]\n}}\n")
}

pub fn glb() -> Vec<u8> {
    let (json, data) = gltf_parts();
    let mut json = format!("{json}  \"buffers\": [{{\"byteLength\": {}}}]\n}}", data.len()).into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF".to_vec();
    for word in [2, 28 + json.len() + data.len(), json.len(), 0x4E4F_534A] {
        bytes.extend((word as u32).to_le_bytes());
    }
    bytes.extend(json);
    for word in [data.len(), 0x004E_4942] {
        bytes.extend((word as u32).to_le_bytes());
    }
    bytes.extend(data);
    bytes
}
