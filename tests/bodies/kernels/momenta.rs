//! Every element keeps both momenta.

use super::*;

/// What an element does to random bodies keeps both momenta, in every stage.
fn keeps_momentum<X: Element>(
    rng: &mut Rng,
    make: impl Fn(&mut Rng, &Body<f64>, &mut Body<f64>) -> (X::Params<f64>, X::State<f64>),
) {
    for k in 0..60 {
        let (a, mut b) = (Body::random(rng), Body::random(rng));
        let (p, state) = make(rng, &a, &mut b);
        let s = substep::<f64>(0.01, SOFT);
        let before = (a.momentum(), b.momentum());
        let (mut ma, mut mb) = (a.m, b.m);
        let mut moved = 0.0;
        let mut check = |ma: Motion<f64>, mb: Motion<f64>, what: &str| {
            let (a, b) = (Body { m: ma, ..a }, Body { m: mb, ..b });
            let after = (a.momentum(), b.momentum());
            let size = after.0.0.norm() + after.1.0.norm();
            moved = f64::max(moved, (after.0.0 - before.0.0).norm() + (after.0.1 - before.0.1).norm());
            let off = (after.0.0 + after.1.0 - before.0.0 - before.1.0).norm();
            assert!(off < 1e-13 * size, "{what}: linear momentum off by {off} of {size}");
            let size = 3.0 * size + after.0.1.norm() + after.1.1.norm();
            let off = (after.0.1 + after.1.1 - before.0.1 - before.1.1).norm();
            assert!(off < 1e-13 * size, "{k} {what}: angular momentum off by {off} of {size}");
        };
        let (work, mut state) = X::set_up::<f64>(&p, state, &a.place(), &b.place(), &mut ma, &mut mb, &s);
        check(ma, mb, "warm start");
        for _ in 0..4 {
            state = X::solve::<f64, false>(&work, state, &mut ma, &mut mb, &s);
            check(ma, mb, "solve");
        }
        state = X::solve::<f64, true>(&work, state, &mut ma, &mut mb, &s);
        check(ma, mb, "relax");
        X::bounce::<f64>(&work, state, &mut ma, &mut mb, &s);
        check(ma, mb, "bounce");
        assert!(moved > 1e-3, "nothing happened");
    }
}

#[test]
fn every_element_keeps_both_momenta() {
    let mut rng = Rng::new(13);
    let anchors = |rng: &mut Rng| Anchors { a: v3(rng, 0.4), b: v3(rng, 0.4) };
    keeps_momentum::<BallElement>(&mut rng, |r, _, _| (anchors(r), v3(r, 1.0)));
    keeps_momentum::<DistanceElement>(&mut rng, |r, _, _| {
        (DistanceParams { anchors: anchors(r), limits: [0.5, 0.5] }, r.range(-1.0, 1.0))
    });
    for relaxed in [0.0, 1.0] {
        keeps_momentum::<ArcElement>(&mut rng, |r, a, b| {
            let mut c = ArcCase::new(r, 1.0);
            c.p.relaxed = relaxed;
            if relaxed > 0.0 {
                c.p.stiffness = vec3(0.3, 0.5, 0.9);
            }
            (b.x, b.q) = (c.b.x + (a.x - c.a.x), a.q.compose(c.a.q.conjugate()).compose(c.b.q));
            (c.p, ArcState { impulse: v3(r, 1.0), torque: v3(r, 1.0), ..no_arc() })
        });
    }
    keeps_momentum::<FixedElement>(&mut rng, |r, _, _| {
        let p = FixedParams { anchors: anchors(r), frame_a: rotation(r), frame_b: rotation(r) };
        (p, Wrench { push: v3(r, 1.0), turn: v3(r, 1.0) })
    });
    keeps_momentum::<LimitElement>(&mut rng, |r, _, _| {
        let p = LimitParams { frame_a: rotation(r), frame_b: rotation(r), swing: [0.1, 0.2], twist: [0.0, 0.1] };
        (p, AngularState::new([r.unit(), r.unit(), r.unit()]))
    });
    keeps_momentum::<HingeElement>(&mut rng, |r, _, _| {
        let p = HingeParams { anchors: anchors(r), frame_a: rotation(r), frame_b: rotation(r), limits: [-0.1, 0.1] };
        (p, HingeState { impulse: Wrench { push: v3(r, 1.0), turn: v3(r, 1.0) }, angle: r.unit(), turns: 0.0 })
    });
    keeps_momentum::<MotorElement>(&mut rng, |r, _, _| {
        let k = vec3(10.0, 20.0, 30.0);
        let p = MotorParams {
            frame_a: rotation(r),
            frame_b: rotation(r),
            stiffness: k,
            damping: k,
            target: rotation(r),
            speed: v3(r, 1.0),
            most: 50.0,
            from: rotation(r),
        };
        (p, v3(r, 1.0))
    });
    keeps_momentum::<ContactElement<4>>(&mut rng, |r, a, b| {
        let gap = r.range(-0.05, 0.0);
        let mut p = contact(r, b, a, gap);
        // Round ones, too, wherever they say that they touch.
        (p.share, p.curved) = (r.unit(), f64::from(r.unit() < 0.5));
        p.radii = core::array::from_fn(|_| [0.3 * r.unit(), 0.3 * r.unit()]);
        // Slid off each other since.
        b.x = b.x + v3(r, 0.05);
        (b.m.v, b.m.w) = (a.m.v - p.normal * 3.0, v3(r, 5.0));
        let mut state = no_contact();
        state.impulse = core::array::from_fn(|_| r.unit());
        state.friction = v3(r, 0.3);
        state.tangent = tangents(p.normal)[1];
        (p, state)
    });
    keeps_momentum::<RollingElement>(&mut rng, |r, a, b| {
        let contact = contact(r, b, a, -0.01);
        (b.m.v, b.m.w) = (a.m.v - contact.normal * 3.0, v3(r, 5.0));
        let mut state = no_contact();
        state.impulse = core::array::from_fn(|_| r.unit());
        state.tangent = tangents(contact.normal)[0];
        (RollingParams { contact, levers: [0.1, 0.2] }, RollingState { contact: state, torque: v3(r, 0.1) })
    });
}
