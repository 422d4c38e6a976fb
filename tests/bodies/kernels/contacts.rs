//! Contacts over several steps.

use super::*;

/// Friction of before goes on in the direction it had, whatever the tangents are now.
#[test]
fn friction_keeps_its_direction() {
    let mut rng = Rng::new(26);
    for _ in 0..50 {
        let (a, mut b) = (Body::random(&mut rng), Body::random(&mut rng));
        let p = contact(&mut rng, &mut b, &a, 0.0);
        let [t, u] = tangents(p.normal);
        let old = t * 0.6 + u * 0.8;
        let mut state = no_contact();
        (state.friction, state.tangent) = (vec3(1.5, -0.7, 0.2), old);
        let (mut ma, mut mb) = (a.m, b.m);
        let s = substep::<f64>(0.01, SOFT);
        let (w, state) = ContactElement::<4>::set_up::<f64>(&p, state, &a.place(), &b.place(), &mut ma, &mut mb, &s);
        let before = old * 1.5 - p.normal.cross(old) * 0.7;
        let now = w.tangents[0] * state.friction.x + w.tangents[1] * state.friction.y;
        assert!((now - before).length() < 1e-14 && state.friction.z == 0.2, "{now:?} {before:?}");
        assert!(((mb.v - b.m.v) * (1.0 / b.mass) - before).length() < 1e-13);
    }
}

/// Points only push, friction stays in its disc, and what comes in fast leaves as restitution says.
#[test]
fn contacts_push_hold_and_bounce() {
    let mut rng = Rng::new(22);
    let mut met = 0;
    for _ in 0..50 {
        let (a, mut b) = (Body::random(&mut rng), Body::random(&mut rng));
        let p = contact(&mut rng, &mut b, &a, 0.0);
        b.m = Motion { v: a.m.v - p.normal * 5.0 + v3(&mut rng, 3.0), w: a.m.w };
        let s = substep::<f64>(0.01, Softness::rigid());
        let (mut ma, mut mb) = (a.m, b.m);
        let (w, mut state) = ContactElement::<4>::set_up::<f64>(&p, no_contact(), &a.place(), &b.place(), &mut ma, &mut mb, &s);
        let parting = |ma: &Motion<f64>, mb: &Motion<f64>, k: usize| {
            let r = w.rows[k];
            speed(&row12(-p.normal, -r.arm_a, p.normal, r.arm_b), ma, mb)
        };
        for _ in 0..2000 {
            state = ContactElement::<4>::solve::<f64, false>(&w, state, &mut ma, &mut mb, &s);
        }
        let press: f64 = state.impulse.iter().sum();
        assert!(state.impulse.iter().all(|i| *i >= 0.0));
        met += u32::from(press > 0.0);
        let lever: f64 = state.impulse.iter().zip(w.arms).map(|(i, arm)| i * arm).sum();
        assert!(state.friction.x.hypot(state.friction.y) <= 0.6 * press * (1.0 + 1e-9));
        assert!(state.friction.z.abs() <= 0.6 * lever * (1.0 + 1e-9));
        for k in 0..4 {
            let speed = parting(&ma, &mb, k);
            assert!(speed > -1e-6, "goes in at {speed}");
            assert!(state.impulse[k] * speed < 1e-5, "pulls: {} at {speed}", state.impulse[k]);
        }
        // Where friction is less than it could be, nothing slides.
        if state.friction.x.hypot(state.friction.y) < 0.59 * press {
            for (t, r) in w.tangents.iter().zip(w.slide) {
                assert_near(speed(&row12(-*t, -r.arm_a, *t, r.arm_b), &ma, &mb), 0.0, 1e-5, "slips");
            }
        }
        let before = state;
        let mut last = (ma, mb);
        for _ in 0..500 {
            state = ContactElement::<4>::bounce::<f64>(&w, state, &mut last.0, &mut last.1, &s);
        }
        for k in 0..4 {
            if before.largest[k] > 0.0 && before.approach[k] < -1.0 {
                assert!(parting(&last.0, &last.1, k) > -0.4 * before.approach[k] - 1e-3, "{k} does not bounce");
            }
        }
    }
    assert!(met > 30, "{met}");
}
