/// The three constraints of edge `i`.
fn solve_edge_of(i: u32, e: vec3<f32>, g: vec3<f32>, w: EdgeWeights) -> EdgeSolved {
    let q = edge_constraints(e, g, w, edge_rest(i), state1(i, STATE_LAMBDA_LENGTH));
    put(i, STATE_LAMBDA_LENGTH, q.lambda);
    return q;
}
fn scaled(i: u32, rest: BendTwistRest) -> BendTwistRest {
    return rest;
}
