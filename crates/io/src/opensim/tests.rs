//! Models by hand, damaged ones, and the arm of OpenSim's examples where it is at hand.

use super::*;

/// A version 4 model: a frame on ground, a pinned body at a quarter turn, a custom joint, a muscle between them.
const SMALL: &str = r#"<?xml version="1.0" encoding="UTF-8" ?>
<OpenSimDocument Version="40000">
 <Model name="small">
  <gravity>0 -9.8 0</gravity>
  <BodySet name="bodyset"><objects>
   <Body name="upper"><mass>2</mass><mass_center>0 -0.1 0</mass_center><inertia>1 2 3 0 0 0</inertia>
    <WrapObjectSet><objects>
     <WrapCylinder name="bone"><xyz_body_rotation>0 0 1.5707963267948966</xyz_body_rotation><translation>0 0 1</translation>
      <radius>0.02</radius><length>0.3</length></WrapCylinder>
     <WrapCone name="odd" />
    </objects></WrapObjectSet>
   </Body>
   <Body name="lower"><mass>1</mass></Body>
  </objects></BodySet>
  <JointSet><objects>
   <CustomJoint name="elbow">
    <socket_parent_frame>upper_offset</socket_parent_frame><socket_child_frame>/bodyset/lower</socket_child_frame>
    <coordinates><Coordinate name="flex"><default_value>0.5</default_value><range>0 2</range></Coordinate></coordinates>
    <frames><PhysicalOffsetFrame name="upper_offset"><socket_parent>/bodyset/upper</socket_parent><translation>0 -0.3 0</translation></PhysicalOffsetFrame></frames>
    <SpatialTransform>
     <TransformAxis name="rotation1"><coordinates>flex</coordinates><axis>0 0 2</axis><LinearFunction><coefficients>1 0</coefficients></LinearFunction></TransformAxis>
     <TransformAxis name="translation1"><coordinates>flex</coordinates><axis>1 0 0</axis>
      <SimmSpline><x>0 1 2</x><y>0 0.01 0.02</y></SimmSpline></TransformAxis>
     <TransformAxis name="translation2"><coordinates></coordinates><axis>0 1 0</axis>
      <MultiplierFunction><function><Constant><value>2</value></Constant></function><scale>0.5</scale></MultiplierFunction></TransformAxis>
    </SpatialTransform>
   </CustomJoint>
   <PinJoint name="shoulder">
    <socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>upper_top</socket_child_frame>
    <coordinates><Coordinate name="swing"><default_value>1.5707963267948966</default_value></Coordinate></coordinates>
    <frames><PhysicalOffsetFrame name="upper_top"><socket_parent>/bodyset/upper</socket_parent><translation>0 0.1 0</translation></PhysicalOffsetFrame></frames>
   </PinJoint>
  </objects></JointSet>
  <ForceSet><objects>
   <Millard2012EquilibriumMuscle name="flexor">
    <GeometryPath>
     <PathPointSet><objects>
      <PathPoint name="a"><socket_parent_frame>/bodyset/upper</socket_parent_frame><location>0.02 0 0</location></PathPoint>
      <ConditionalPathPoint name="b"><socket_parent_frame>/bodyset/upper</socket_parent_frame><location>0.03 -0.1 0</location>
       <socket_coordinate>/jointset/elbow/flex</socket_coordinate><range>1 2</range></ConditionalPathPoint>
      <MovingPathPoint name="c"><socket_parent_frame>/bodyset/upper</socket_parent_frame></MovingPathPoint>
      <PathPoint name="d"><socket_parent_frame>/bodyset/lower</socket_parent_frame><location>0.02 -0.05 0</location></PathPoint>
     </objects></PathPointSet>
     <PathWrapSet><objects><PathWrap><wrap_object>bone</wrap_object></PathWrap></objects></PathWrapSet>
    </GeometryPath>
    <max_isometric_force>500</max_isometric_force><optimal_fiber_length>0.12</optimal_fiber_length>
    <tendon_slack_length>0.2</tendon_slack_length>
   </Millard2012EquilibriumMuscle>
   <PointActuator name="push" />
  </objects></ForceSet>
 </Model>
</OpenSimDocument>
"#;

fn near(a: [f64; 3], b: [f64; 3]) {
    assert!((Vec3::from(a) - Vec3::from(b)).length() < 1e-9, "{a:?} for {b:?}");
}

#[test]
fn bodies_stand_where_joints_put_them() {
    let model = read_osim(SMALL.as_bytes()).unwrap();
    let names: Vec<&str> = model.bodies.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["ground", "upper", "lower"]);
    assert_eq!(model.joints.iter().map(|j| j.name.as_str()).collect::<Vec<_>>(), ["shoulder", "elbow"], "parents first");
    // A quarter turn about z, of a point 0.1 above the body's origin.
    near(model.bodies[1].pose.position.to_array(), [0.1, 0.0, 0.0]);
    near(model.bodies[1].pose.point(Vec3::from([0.0, 1.0, 0.0])).to_array(), [-0.9, 0.0, 0.0]);
    // 0.3 below that, 0.005 along the upper body's x by the spline and 1 along its y by the constant.
    near(model.bodies[2].pose.position.to_array(), [0.1 + 0.3 - 1.0, 0.005, 0.0]);
    let (sin, cos) = 0.5f64.sin_cos();
    let turned = model.bodies[2].pose.rotation.rotate(Vec3::from([1.0, 0.0, 0.0])).to_array();
    near(turned, [-sin, cos, 0.0]);
    let elbow = &model.joints[1].coordinates[0];
    assert_eq!((elbow.default, elbow.range), (0.5, [0.0, 2.0]));
    assert_eq!(elbow.freedom, Freedom::Other, "it also slides");
    assert_eq!(model.joints[0].coordinates[0].freedom, Freedom::Turns(Vec3::from([0.0, 0.0, 1.0])));
    let bone = &model.bodies[1].wraps[0];
    assert_eq!(bone.shape, WrapShape::Cylinder { radius: 0.02, length: 0.3 });
    near(bone.pose.point(Vec3::from([1.0, 0.0, 0.0])).to_array(), [0.0, 1.0, 1.0]);
}

#[test]
fn muscles_have_their_numbers_and_their_line() {
    let model = read_osim(SMALL.as_bytes()).unwrap();
    let m = &model.muscles[0];
    assert_eq!((m.max_isometric_force, m.optimal_fiber_length, m.max_contraction_velocity), (500.0, 0.12, 10.0));
    assert_eq!(m.path.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(), ["a", "d"]);
    assert_eq!(m.wraps, ["bone"]);
    let all = model.dropped.join("\n");
    for word in [
        "\"odd\": a WrapCone",
        "conditional path point \"b\" is not there",
        "moving path point \"c\"",
        "\"push\": a PointActuator",
    ] {
        assert!(all.contains(word), "{word} in {all}");
    }
    assert!(
        all.contains("flexor\" has no max_contraction_velocity: OpenSim's 10") && all.contains("go around \"bone\""),
        "{all}"
    );
    let line = model.line(0, 0.05).unwrap();
    assert_eq!((line.bodies[0], line.bodies[1], line.bodies[line.bodies.len() - 1]), (Some(1), None, Some(2)));
    let ends = [model.bodies[1].pose.point(m.path[0].location), model.bodies[2].pose.point(m.path[1].location)];
    near(line.points[0], ends[0].to_array());
    near(line.points[line.points.len() - 1], ends[1].to_array());
    assert!((line.length() - (ends[1] - ends[0]).length()).abs() < 1e-12);
    assert!(line.points.windows(2).all(|p| (Vec3::from(p[1]) - Vec3::from(p[0])).length() <= 0.05 + 1e-12));
    assert!(model.line(1, 0.05).unwrap_err().to_string().contains("muscles[1] are 1"));
    assert!(model.line(0, 0.0).unwrap_err().to_string().contains("spacing 0"));
}

/// Joints within their bodies, as older files have them.
#[test]
fn version_3_is_read_too() {
    let text = r#"<OpenSimDocument Version="30000"><Model name="old"><BodySet><objects>
      <Body name="ground"><mass>0</mass></Body>
      <Body name="rod"><mass>1</mass><inertia_xx>3</inertia_xx><Joint><PinJoint name="pin"><parent_body>ground</parent_body>
        <location_in_parent>0 2 0</location_in_parent><orientation_in_parent>0 0 0</orientation_in_parent><location>0 1 0</location>
        <CoordinateSet><objects><Coordinate name="q"><default_value>3.141592653589793</default_value></Coordinate></objects></CoordinateSet>
      </PinJoint></Joint></Body></objects></BodySet>
      <ForceSet><objects><Thelen2003Muscle name="m"><GeometryPath><PathPointSet><objects>
        <PathPoint name="a"><location>0 0 0</location><body>ground</body></PathPoint>
        <PathPoint name="b"><location>0 1 0</location><body>rod</body></PathPoint></objects></PathPointSet></GeometryPath>
        <max_isometric_force>1</max_isometric_force></Thelen2003Muscle></objects></ForceSet></Model></OpenSimDocument>"#;
    let model = read_osim(text.as_bytes()).unwrap();
    assert_eq!((model.bodies.len(), model.bodies[1].inertia[0]), (2, 3.0));
    near(model.bodies[1].pose.position.to_array(), [0.0, 3.0, 0.0]);
    near(model.line(0, 1.0).unwrap().points[2], [0.0, 2.0, 0.0]);
}

#[test]
fn splines_go_through_their_points() {
    let (at, values) = ([0.0, 1.0, 2.5, 3.0], [1.0, 3.0, -1.0, 0.0]);
    for (x, y) in at.into_iter().zip(values) {
        assert!((function::spline(&at, &values, x, false) - y).abs() < 1e-12);
        assert!((function::spline(&at, &values, x, true) - y).abs() < 1e-12);
    }
    let f = |x: f64| function::spline(&at, &values, x, false);
    let slope = |x: f64| (f(x + 1e-5) - f(x - 1e-5)) / 2e-5;
    for x in [0.0, 1.0, 2.5, 3.0] {
        assert!((slope(x - 3e-5) - slope(x + 3e-5)).abs() < 1e-3, "smooth at {x}");
    }
    assert!((slope(-5.0) - slope(-1.0)).abs() < 1e-9 && (slope(4.0) - slope(7.0)).abs() < 1e-9, "straight outside");
    assert!((function::spline(&at, &values, 1.75, true) - 1.0).abs() < 1e-12);
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let refused = |from: &str, to: &str| {
        assert!(SMALL.contains(from), "{from}");
        read_osim(SMALL.replacen(from, to, 1).as_bytes()).unwrap_err().to_string()
    };
    let at = |word: &str| format!("(line {})", 1 + SMALL[..SMALL.find(word).unwrap()].matches('\n').count());
    let says = |message: String, words: &[&str]| words.iter().for_each(|w| assert!(message.contains(w), "{w} in: {message}"));
    says(refused("0.02 -0.05 0", "0.02 -0.05"), &["<location>", &at("0.02 -0.05 0"), "has 2", "must have 3"]);
    says(refused("0.02 -0.05 0", "0.02 nan 0"), &["<location>", &at("0.02 -0.05 0"), "nan", "not a finite number"]);
    says(refused("<mass>2</mass>", "<mass>-2</mass>"), &["<mass>", &at("<mass>2"), "-2"]);
    says(
        refused("/bodyset/lower</socket_parent_frame>", "/bodyset/leg</socket_parent_frame>"),
        &["PathPoint name=\"d\"", "/bodyset/leg"],
    );
    says(
        refused("<socket_child_frame>/bodyset/lower", "<socket_child_frame>/bodyset/leg"),
        &["CustomJoint name=\"elbow\"", "/bodyset/leg"],
    );
    says(refused("<socket_parent_frame>/ground", "<socket_parent_frame>/bodyset/lower"), &["hangs on no body"]);
    says(refused("<socket_child_frame>/bodyset/lower", "<socket_child_frame>/bodyset/upper"), &["a second time"]);
    says(refused("<axis>0 0 2</axis>", "<axis>0 0 0</axis>"), &["TransformAxis name=\"rotation1\"", "without length"]);
    says(refused("<coordinates>flex</coordinates><axis>0 0 2", "<coordinates>fles</coordinates><axis>0 0 2"), &["fles"]);
    says(refused("<x>0 1 2</x>", "<x>0 2 1</x>"), &["SimmSpline", "increasing"]);
    says(refused("<radius>0.02</radius>", ""), &["WrapCylinder name=\"bone\"", "<radius>"]);
    says(refused("500</max", "many</max"), &["max_isometric_force", "many"]);
    says(refused("</BodySet>", ""), &["is no XML", "line "]);
    says(read_osim(b"<?xml version=\"1.0\"?><svg/>").unwrap_err().to_string(), &["<svg>", "no model of OpenSim"]);
    says(read_osim(b"\xff\xfe").unwrap_err().to_string(), &["is no text"]);
    says(read_osim(b"v 0 0 0").unwrap_err().to_string(), &["is no XML"]);
    says(read_osim(b"<!DOCTYPE x [<!ENTITY a 'b'>]><OpenSimDocument/>").unwrap_err().to_string(), &["is no XML"]);
    // Cut off anywhere, damaged anywhere: an answer, no panic.
    (0..SMALL.len())
        .step_by(7)
        .filter(|&n| SMALL.is_char_boundary(n))
        .for_each(|n| assert!(read_osim(&SMALL.as_bytes()[..n]).is_err() || n + 2 > SMALL.len()));
    for i in (0..SMALL.len()).step_by(5) {
        let mut bytes = SMALL.as_bytes().to_vec();
        bytes[i] ^= 0x11;
        let _ = read_osim(&bytes);
    }
    let deep = "<a>".repeat(1_000_000);
    assert!(read_osim(deep.as_bytes()).is_err());
}

/// OpenSim's example of an arm, where the tests are given real files.
#[test]
fn the_arm_of_opensims_examples() {
    let Some(folder) = std::env::var_os("WITHY_DATA") else { return };
    let path = std::path::Path::new(&folder).join("muscle/arm26.osim");
    if !path.exists() {
        return;
    }
    let model = crate::read_opensim(&path).unwrap();
    let names: Vec<&str> = model.bodies.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["ground", "base", "r_humerus", "r_ulna_radius_hand"]);
    let humerus = &model.bodies[2];
    assert_eq!((humerus.mass, humerus.inertia[0]), (1.864572, 0.01481));
    // Base at 0.8 m, the shoulder's joint on it, the elbow's below that.
    near(humerus.pose.position.to_array(), [-0.017545, 0.8 - 0.007, 0.17]);
    near(model.bodies[3].pose.position.to_array(), [-0.017545 + 0.0061, 0.793 - 0.2904, 0.17 - 0.0123]);
    let muscles: Vec<(&str, f64, f64, usize)> =
        model.muscles.iter().map(|m| (m.name.as_str(), m.max_isometric_force, m.optimal_fiber_length, m.path.len())).collect();
    let expected = [
        ("TRIlong", 798.52, 0.134, 5),
        ("TRIlat", 624.3, 0.1138, 5),
        ("TRImed", 624.3, 0.1138, 5),
        ("BIClong", 624.3, 0.1157, 9),
        ("BICshort", 435.56, 0.1321, 6),
        ("BRA", 987.26, 0.0858, 2),
    ];
    assert_eq!(muscles, expected);
    let (elbow, coordinate) = (&model.joints[2], &model.joints[2].coordinates[0]);
    assert_eq!((elbow.name.as_str(), coordinate.name.as_str()), ("r_elbow", "r_elbow_flex"));
    let Freedom::Turns(axis) = coordinate.freedom else { panic!("{:?}", coordinate.freedom) };
    assert!((axis.z - 0.998).abs() < 1e-3 && (coordinate.range[1] - 2.26892803).abs() < 1e-9);
    assert_eq!(model.bodies.iter().map(|b| b.wraps.len()).sum::<usize>(), 4);
    for (i, m) in model.muscles.iter().enumerate() {
        let length = model.line(i, 0.01).unwrap().length();
        let rest = m.optimal_fiber_length + m.tendon_slack_length;
        assert!((0.6..1.3).contains(&(length / rest)), "{}: {length} m for {rest}", m.name);
    }
}
