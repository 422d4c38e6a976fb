use withy::world::*;
use withy::tasks::Inline;
fn main(){
 let a:Vec<String>=std::env::args().collect();
 let nu:f64=a[1].parse().unwrap(); let edges:usize=a[2].parse().unwrap(); let cells:usize=a[3].parse().unwrap(); let cross:bool=a[4]=="1"; let double=a[5]=="1"; let sub:u32=a[6].parse().unwrap(); let cell:f64=a[7].parse().unwrap();
 let r=0.004; let young=1e6;
 let mut w=World::new(WorldDesc{gravity:[0.0;3],substeps:sub,double_precision:double,..WorldDesc::default()}).unwrap();
 let mk=|from:[f64;3],to:[f64;3]|->Vec<[f64;3]>{(0..=edges).map(|i|{let t=i as f64/edges as f64;[0,1,2].map(|k|from[k]+(to[k]-from[k])*t)}).collect()};
 let add=|w:&mut World,p:Vec<[f64;3]>,root,tip|{w.add_rods(RodsDesc{counts:vec![edges as u32+1;p.len()/(edges+1)],positions:p,radii:vec![r],stiffness:Stiffness::Physical{young,shear:young/(2.0*(1.0+0.49))},poisson_ratio:nu,density:1000.0,root,tip,drag:4.0,damping:2.0,..RodsDesc::default()}).unwrap()};
 let x=|i:usize|[cell*i as f64,0.0,0.0];
 let first=add(&mut w,mk(x(0),x(1)),EndSupport::Clamped,EndSupport::Free);
 let last=add(&mut w,mk(x(cells-1),x(cells)),EndSupport::Free,EndSupport::Clamped);
 let mut mid=Vec::new(); for c in 1..cells-1 {mid.extend(mk(x(c),x(c+1)));}
 let n_mid=cells-2;
 if cross {for c in 1..cells{ for s in [-1.0,1.0]{ mid.extend(mk(x(c),[cell*c as f64,0.0,s*cell])); }}}
 let middle=add(&mut w,mid,EndSupport::Free,EndSupport::Free);
 for c in 1..cells {
  let mut e=vec![]; 
  e.push(if c==1{(first,StrandEnd{strand:0,tip:true})}else{(middle,StrandEnd{strand:(c-2) as u32,tip:true})});
  e.push(if c==cells-1{(last,StrandEnd{strand:0,tip:false})}else{(middle,StrandEnd{strand:(c-1) as u32,tip:false})});
  if cross { for s in 0..2 { e.push((middle,StrandEnd{strand:(n_mid+2*(c-1)+s) as u32,tip:false})); } }
  w.add_junction(&e,0.0,0.0).unwrap();
 }
 for f in 1..=120 { let part=(f as f64/60.0).min(1.0); let l=cell*cells as f64*(1.0+0.7*part);
  w.rods_mut(last).unwrap().set_tip_poses(|_|Pose{position:[l,0.0,0.0],..Pose::IDENTITY},false).unwrap();
  w.step(1.0/60.0,&Inline).unwrap();
  if f%10==0 { let mut s=vec![]; w.rods(middle).unwrap().read_scales(|_,q|s.push(q)); let mut st=vec![]; w.rods(middle).unwrap().read_strain(|_,q|st.push(q));
   let mut y:f64=0.0; w.rods(middle).unwrap().read_positions(|i,p| if i<n_mid*(edges+1){ y=y.max(p[1].abs().max(p[2].abs())) });
   let mm=|v:&[f64]|v.iter().fold([9e9f64,-9e9],|m,&q|[m[0].min(q),m[1].max(q)]);
   println!("{f} scales {:.4?} strains {:.4?} off axis {:.1e} {}",mm(&s[..n_mid*edges]),mm(&st[..n_mid*edges]),y, w.stats().limited_strands);
   if y>1.0 {break;} } }
}
