//! An element of which only the two ghost points can move has a bend-twist block of rank one. Its last pivots were rounding
//! noise, clamped to 1e-30 kg⁻¹: in f32 the ghosts were sent 1e28 m away.

use withy::math::vec3::vec3;
use withy::rods::ghost::kernels::*;

#[test]
fn ghosts_of_a_held_element_stay_near() {
    for bend in [0.01f32, 0.2, 0.6] {
        let a = edge_frame(vec3(0.1, 0.0, 0.0), vec3(0.0, 0.05, 0.003));
        let b = edge_frame(vec3(0.1, bend * 0.1, 0.02), vec3(0.01, 0.06, -0.01));
        let (wa, wb) = (EdgeWeights { w0: 0.0, w1: 0.0, wg: 503.0 }, EdgeWeights { w0: 0.0, w1: 0.0, wg: 17230.0 });
        let zero = vec3(0.0, 0.0, 0.0);
        let rest = BendTwistRest { psi: vec3(0.3, -0.2, 0.5), stiffness: vec3(1.0, 1.0, 1.0), compliance: zero, on: 1.0 };
        let s = bend_twist(&a, &b, wa, wb, rest, zero);
        // The linearised answer itself is about a metre: two ghosts can hardly bend anything.
        assert!(s.ag.length() < 5.0 && s.bg.length() < 5.0, "{:?} {:?}", s.ag, s.bg);
    }
}
