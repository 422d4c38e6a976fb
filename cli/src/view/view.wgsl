// Strands and surfaces in the light of the project's pictures: a key light from the viewer's upper left, a fill, a sky.
// Colours are linear until the end; the target holds sRGB numbers.

struct View {
    eye: vec4f,
    right: vec4f,
    up: vec4f,
    forward: vec4f,
    toward: vec4f,  // to the key light
    target_: vec4f, // w: size of the scene, m
    picture: vec4f, // width, height, focal length in pixels, near
    floor: vec4f,   // height, spacing of the grid (0: none), 1 where there is one
}

@group(0) @binding(0) var<uniform> view: View;

const KEY = vec3f(1.0, 0.965, 0.91);
const FILL = vec3f(0.20, 0.21, 0.23);
const AMBIENT = vec3f(0.40, 0.43, 0.47);

fn to_clip(p: vec3f) -> vec4f {
    let d = p - view.eye.xyz;
    let z = dot(d, view.forward.xyz);
    let focal = 2.0 * view.picture.z / view.picture.xy;
    // Depth is near / z: the precision of floats lies where it is needed.
    return vec4f(dot(d, view.right.xyz) * focal.x, dot(d, view.up.xyz) * focal.y, view.picture.w, z);
}

fn srgb(c: vec3f) -> vec4f {
    let low = c * 12.92;
    let high = 1.055 * pow(max(c, vec3f(0.0)), vec3f(1.0 / 2.4)) - 0.055;
    return vec4f(select(high, low, c <= vec3f(0.0031308)), 1.0);
}

fn lobe(t: vec3f, n: vec3f, h: vec3f, shift: f32, power: f32) -> f32 {
    let tilted = normalize(t + n * shift);
    let c = dot(tilted, h);
    return pow(sqrt(max(1.0 - c * c, 1e-6)), power);
}

fn lit(p: vec3f, n: vec3f, color: vec3f, specular: f32, roughness: f32) -> vec3f {
    let v = normalize(view.eye.xyz - p);
    let l = view.toward.xyz;
    let h = normalize(l + v);
    let a2 = max(roughness * roughness * roughness * roughness, 1e-4);
    let nh = max(dot(n, h), 0.0);
    let d = nh * nh * (a2 - 1.0) + 1.0;
    let facing = max(dot(n, l), 0.0);
    let highlight = min(a2 / (3.14159 * d * d) * 0.06 / (max(dot(n, v), 0.05) + 0.35), 4.0) * facing;
    let sky = 0.66 + 0.34 * n.y;
    let side = max(dot(n, v) * 0.8 + dot(n, view.right.xyz) * 0.45, 0.0);
    return color * (AMBIENT * 1.1 * sky + FILL * side + KEY * facing * 0.95) + KEY * highlight * specular;
}

// ---- background and floor

@vertex
fn back_vertex(@builtin(vertex_index) k: u32) -> @builtin(position) vec4f {
    let corner = vec2f(f32(k & 1u) * 4.0 - 1.0, f32(k >> 1u) * 4.0 - 1.0);
    return vec4f(corner, 0.0, 1.0);
}

@fragment
fn back_fragment(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let uv = at.xy / view.picture.xy - vec2f(0.5, 0.45);
    let glow = exp(-(uv.x * uv.x * 1.6 + uv.y * uv.y * 2.2) * 1.8);
    let grey = 0.775 + 0.165 * glow;
    var color = pow((grey + 0.055) / 1.055, 2.4) * vec3f(1.0, 1.004, 1.017);
    let pixel = (at.xy - 0.5 * view.picture.xy) / view.picture.z;
    let ray = view.forward.xyz + view.right.xyz * pixel.x - view.up.xyz * pixel.y;
    let t = (view.floor.x - view.eye.y) / ray.y;
    if view.floor.z > 0.0 && t > 0.0 {
        let p = view.eye.xyz + ray * t;
        let away = length(p - view.target_.xyz) / view.target_.w;
        let fade = exp(-away * away / 6.0);
        color *= 1.0 - 0.10 * fade;
        if view.floor.y > 0.0 {
            let cell = p.xz / view.floor.y;
            // A pixel in cells: the floor is seen at an angle.
            let w = t * length(ray) / view.picture.z / view.floor.y * vec2f(1.0, 1.0) / max(abs(normalize(ray).y), 0.05);
            let off = abs(cell - round(cell));
            let line = clamp(vec2f(1.25) - off / w, vec2f(0.0), vec2f(1.0)) * clamp(vec2f(1.0) - 2.5 * w, vec2f(0.0), vec2f(1.0));
            color *= 1.0 - 0.14 * max(line.x, line.y) * fade;
        }
    }
    return srgb(color);
}

// ---- surfaces

struct Surface {
    @builtin(position) clip: vec4f,
    @location(0) p: vec3f,
    @location(1) n: vec3f,
    @location(2) color: vec3f,
    @location(3) shine: vec2f,
}

@vertex
fn surface_vertex(@location(0) p: vec3f, @location(1) n: vec3f, @location(2) color: vec3f, @location(3) shine: vec2f) -> Surface {
    return Surface(to_clip(p), p, n, color, shine);
}

@fragment
fn surface_fragment(s: Surface) -> @location(0) vec4f {
    var n = normalize(s.n);
    if dot(n, view.eye.xyz - s.p) < 0.0 {
        n = -n;
    }
    return srgb(lit(s.p, n, s.color, s.shine.x, s.shine.y));
}

// ---- strands: a ribbon for each edge that faces the viewer and is lit as a cylinder

struct Strand {
    @builtin(position) clip: vec4f,
    @location(0) p: vec3f,
    @location(1) t: vec3f,
    @location(2) color: vec3f,
    // across -1..1, along 0..1, 1 for hair and 0 for a rod, roughness
    @location(3) rest: vec4f,
    @location(4) @interpolate(flat) sparkle: f32,
}

@vertex
fn strand_vertex(
    @builtin(vertex_index) k: u32,
    @location(0) a: vec4f,  // w: radius
    @location(1) b: vec4f,
    @location(2) ta: vec4f, // w: along
    @location(3) tb: vec4f,
    @location(4) color: vec4f, // w: roughness
    @location(5) kind: vec2f,  // 1 for hair; a number of its own
) -> Strand {
    // Two triangles: 0 1 2, 2 1 3.
    let corner = select(k, select(select(2u, 1u, k == 4u), 3u, k == 5u), k > 2u);
    let end = f32(corner & 1u);
    let side = f32(corner >> 1u) * 2.0 - 1.0;
    let p = mix(a.xyz, b.xyz, end);
    let t = normalize(mix(ta.xyz, tb.xyz, end));
    let v = view.eye.xyz - p;
    // Seen end on there is no side; a pixel wide at least.
    let across = cross(t, v);
    let out = across / max(length(across), 1e-12);
    let pixel = dot(-v, view.forward.xyz) / view.picture.z;
    let radius = max(mix(a.w, b.w, end), 0.6 * pixel);
    let at = p + out * side * radius;
    return Strand(to_clip(at), at, t, color.rgb, vec4f(side, mix(ta.w, tb.w, end), kind.x, color.w), kind.y);
}

@fragment
fn strand_fragment(s: Strand) -> @location(0) vec4f {
    let v = normalize(view.eye.xyz - s.p);
    let t = normalize(s.t);
    let face = normalize(v - t * dot(t, v));
    let out = cross(t, face);
    let x = s.rest.x;
    let n = normalize(face * sqrt(max(1.0 - x * x, 0.0)) + out * x);
    if s.rest.z < 0.5 {
        return srgb(lit(s.p, n, s.color, 0.25, s.rest.w));
    }
    let l = view.toward.xyz;
    let tl = dot(t, l);
    let sin_l = sqrt(max(1.0 - tl * tl, 0.0));
    let wrap = 0.5 + 0.5 * dot(normalize(face + 0.35 * out * x), l);
    let facing = 0.25 + 0.75 * wrap * wrap;
    let h = normalize(l + v);
    let sparkle = (s.sparkle - 0.5) * 0.16;
    let power = 12.0 / max(s.rest.w * s.rest.w, 0.004);
    let white = lobe(t, face, h, -0.10 + sparkle, power) * 0.9;
    let tinted = lobe(t, face, h, 0.16 + sparkle, power * 0.2) * 1.3;
    let fill = normalize(v + view.right.xyz * 0.55 + view.up.xyz * 0.25);
    let sheen = lobe(t, face, normalize(fill + v), 0.12 + sparkle, power * 0.35);
    let up = 0.66 + 0.34 * face.y;
    // Roots lie deep in the hair, where little light comes.
    let open = mix(0.45, 1.0, smoothstep(0.0, 0.6, s.rest.y));
    let c = s.color;
    var light = c * (AMBIENT * 1.4 * up * open + FILL * open + KEY * 1.3 * open * sin_l * facing);
    light += (vec3f(white) + pow(c, vec3f(0.65)) * tinted) * KEY * 0.4 * open * (0.3 + 0.7 * facing);
    light += pow(c, vec3f(0.7)) * FILL * 1.2 * sheen * open;
    return srgb(light);
}
