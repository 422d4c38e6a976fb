//! What a host may change of rods that are there.

use super::Rods;
use super::settings;
use crate::desc::error::{Error, Result};
use crate::desc::{RodsDesc, Stiffness, SweepOrder, validate};

/// Lengths that have gone through a host's unit and back.
const SAME: f64 = 1e-9;

impl Rods {
    /// Makes their numbers those of `new`, from the next step on: moduli, density, section, friction, layers, and what else needs no other memory. Pose,
    /// velocities and rest shape stay. No array of `new` is looked at but a single radius in `radii`; none: they stay. Returns whether others are met
    /// than before.
    ///
    /// # Errors
    /// A number is out of range, or is one of those that cannot change: `model`, `order`, `integrator`, the kind of `stiffness`, `root`, `tip`, ghost points,
    /// `poisson_ratio`, `self_contact`. Nothing has changed then.
    pub fn change(&mut self, new: &RodsDesc) -> Result<bool> {
        let old = &self.desc;
        let fixed = |name: &str, is: String, was: String| match is == was {
            true => Ok(()),
            false => Err(Error::invalid(format!("{name} is {is}, and these rods were made with {was}: it cannot be changed"))),
        };
        let number = |name: &str, is: f64, was: f64, unit: &str| match (is - was).abs() <= SAME * was.abs() {
            true => Ok(()),
            false => fixed(name, validate::number(is) + unit, validate::number(was) + unit),
        };
        fixed("model", (new.model as u32).to_string(), (old.model as u32).to_string())?;
        let kind = |d: &RodsDesc| u32::from(matches!(d.stiffness, Stiffness::Alpha { .. })).to_string();
        fixed("stiffness", kind(new), kind(old))?;
        if new.order != SweepOrder::Auto {
            fixed("order", settings::order(new).number().to_string(), old.order.number().to_string())?;
        }
        fixed("integrator", (settings::integrator(new) as u32).to_string(), (old.integrator as u32).to_string())?;
        fixed("root", (new.root as u32).to_string(), (old.root as u32).to_string())?;
        fixed("tip", (new.tip as u32).to_string(), (old.tip as u32).to_string())?;
        number("ghost_distance", new.ghost_distance, old.ghost_distance, " m")?;
        number("ghost_mass_ratio", new.ghost_mass_ratio, old.ghost_mass_ratio, "")?;
        number("poisson_ratio", new.poisson_ratio, old.poisson_ratio, "")?;
        let touches = |d: &RodsDesc| u32::from(d.self_contact).to_string();
        fixed("self_contact (WITHY_RODS_SELF_CONTACT)", touches(new), touches(old))?;
        let radius = match new.radii[..] {
            [radius] => {
                validate::within("radius", radius, validate::RADIUS)?;
                Some(radius)
            }
            _ => None,
        };
        let changed = RodsDesc {
            aspect: new.aspect,
            stiffness: new.stiffness,
            stretch_modulus: new.stretch_modulus,
            viscosity: new.viscosity,
            density: new.density,
            damping: new.damping,
            drag: new.drag,
            wind: new.wind,
            friction: new.friction,
            collision_radius: new.collision_radius,
            max_speed: new.max_speed,
            iterations: new.iterations,
            category: new.category,
            mask: new.mask,
            one_way: new.one_way,
            can_sleep: new.can_sleep,
            ..old.clone()
        };
        validate::rods_numbers(&changed)?;
        if changed.is_bundled() && changed.aspect != 1.0 {
            return Err(Error::unsupported(format!("aspect is {}, and only round sections are bundled", changed.aspect)));
        }
        let meets = |d: &RodsDesc| (d.category, d.mask, d.one_way);
        let relisted = meets(&changed) != meets(old);
        let material = |d: &RodsDesc| (d.stiffness, [d.aspect, d.stretch_modulus, d.viscosity, d.density, d.collision_radius]);
        let same_radius = radius.is_none_or(|radius| self.material.radii == [radius]);
        let same = material(&changed) == material(old) && same_radius;
        let motion = |d: &RodsDesc| ([d.damping, d.drag, d.friction, d.max_speed], d.wind, d.iterations, d.can_sleep);
        let unchanged = same && !relisted && motion(&changed) == motion(old);
        self.desc = changed;
        if let (Some(radius), false) = (radius, same_radius) {
            self.material.radii = vec![radius];
        }
        if !same {
            self.material_changed();
        } else if !unchanged {
            self.fields_are_stale();
            self.rest.stir();
        }
        self.layers_changed = self.layers_changed.wrapping_add(u32::from(relisted));
        Ok(relisted)
    }

    /// The description with the numbers of now: what [`Rods::change`] takes. `radii` holds the radius, if all vertices have one.
    pub fn numbers(&self) -> RodsDesc {
        let radii = if self.material.radii.len() == 1 { self.material.radii.clone() } else { Vec::new() };
        RodsDesc { radii, ..self.desc.clone() }
    }
}
