//! Hair and rope
//!
//! Two more ways to fill a WithyRodsDef, with values that look right. Then set the arrays, change
//! what you like, and create the rods.

use super::context::WithyContext;
use super::defs::{self, Def};
use super::guard::{self, Result};
use super::handles;
use super::rods::{WITHY_REST_STRAIGHT, WITHY_RODS_ONE_WAY, WITHY_RODS_SAG_FREE, WITHY_SUPPORT_CLAMPED, WithyRodsDef};

/// Fills `def` for hair. Use the macro `withy_hair_def_init(context, &def)`.
///
/// A strand stands for a lock of a few hairs: Young's modulus 4e9 Pa, shear modulus 1.5e9 Pa,
/// density 1300 kg/m^3, radius 0.1 mm. Roots are clamped. Damping is 4/s, drag 3/s. Flags are
/// WITHY_RODS_SAG_FREE, so set the gravity of the world before you create the rods, and
/// WITHY_RODS_ONE_WAY.
///
/// For single hairs set the radius to 0.03 to 0.05 mm; for thick, styled locks to 0.2 to 1 mm.
///
/// @param context Its convention says in which unit `radius` is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_hair_def_init_sized(context: WithyContext, def: *mut WithyRodsDef, size: u32) -> i32 {
    let hair = WithyRodsDef {
        flags: WITHY_RODS_SAG_FREE | WITHY_RODS_ONE_WAY,
        radius: 1e-4,
        young_modulus: 4e9,
        shear_modulus: 1.5e9,
        density: 1300.0,
        damping: 4.0,
        drag: 3.0,
        root: WITHY_SUPPORT_CLAMPED,
        ..WithyRodsDef::defaults()
    };
    // SAFETY: the caller's contract.
    guard::call("withy_hair_def_init", || unsafe { init(context, def, size, hair) })
}

/// Fills `def` for rope. Use the macro `withy_rope_def_init(context, &def)`.
///
/// The rope is 10 mm thick, weighs 79 g a metre, and has friction 0.6. It bends as a climbing rope
/// does (Young's modulus 1e7 Pa) and hardly stretches (`stretch_modulus` 1e9 Pa: by 1 % under 80
/// kg). Damping is 2/s, drag 0.2/s. At rest it is straight, whatever its start pose. It is solved
/// directly, so that it does not stretch on pins and attachments. Both ends are free.
///
/// @param context Its convention says in which unit `radius` is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn withy_rope_def_init_sized(context: WithyContext, def: *mut WithyRodsDef, size: u32) -> i32 {
    let rope = WithyRodsDef {
        radius: 5e-3,
        // EI = 5e-3 N m²: 20 cm held out level bend by a third of their length.
        young_modulus: 1e7,
        shear_modulus: 4e6,
        stretch_modulus: 1e9,
        density: 1000.0,
        damping: 2.0,
        drag: 0.2,
        friction: 0.6,
        rest_shape: WITHY_REST_STRAIGHT,
        ..WithyRodsDef::defaults()
    };
    // SAFETY: the caller's contract.
    guard::call("withy_rope_def_init", || unsafe { init(context, def, size, rope) })
}

/// `values` in SI, of which only the radius is a length.
///
/// # Safety
/// `def` is NULL or writable for `size` bytes.
unsafe fn init(context: WithyContext, def: *mut WithyRodsDef, size: u32, values: WithyRodsDef) -> Result<()> {
    let radius = handles::context(context)?.convention.length_out(values.radius);
    // SAFETY: by contract.
    unsafe { defs::init_with(def, size, WithyRodsDef { radius, ..values }) }
}
