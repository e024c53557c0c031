// The BRDF: layers over metallic-roughness. Spec: glTF 2.0 Appendix B and the extensions KHR_materials_*.
#include "microfacet.glsl"
#include "iridescence.glsl"
#include "sheen.glsl"

// The material at a fragment.
struct Surface {
    vec3 normal;
    // Diffuse reflection, and transmission without scattering, of a dielectric.
    vec3 diffuse;
    vec3 passed;
#ifdef DIFFUSE_TRANSMISSION
    // The fraction of light from the other side that leaves here in all directions.
    vec3 scattered;
#endif
    // F0 and F90 of a dielectric.
    vec3 body;
    vec3 body_edge;
    // F0 of a metal; its F90 is 1.
    vec3 metal;
    float metallic;
    float roughness;
    float sharp; // roughness without anti-aliasing, for the environment: only small lights alias
    float alpha; // roughness², the parameter of the microfacet terms
#ifdef IRIDESCENCE
    vec3 body_film;
    vec3 metal_film;
    float film;
#endif
#ifdef ANISOTROPY
    // The directions along and across anisotropic highlights.
    vec3 tangent;
    vec3 bitangent;
    float alpha_along;
    float anisotropy;
#endif
#ifdef SHEEN
    vec4 sheen;
#endif
#ifdef CLEARCOAT
    vec3 coat_normal;
    float coat;
    float coat_roughness;
    float coat_sharp;
#endif
};

#ifdef VOLUME
// The length of the way through the volume, in metres.
float way_through() {
    return m_thickness * v_scale;
}

// The fraction of light that the volume transmits: Beer's law.
vec3 volume_tint(float way) {
    return pow(max(m_attenuation_color, 1e-6), vec3(way / m_attenuation_distance));
}
#endif

// Specular anti-aliasing: widens highlights where the normal varies within a pixel.
float roughened(float roughness, vec3 normal) {
    vec3 turn_x = dFdx(normal);
    vec3 turn_y = dFdy(normal);
    float turn = min(0.5 * (dot(turn_x, turn_x) + dot(turn_y, turn_y)), 0.18);
    float alpha = roughness * roughness;
    return clamp(sqrt(alpha * alpha + turn), 0.0064, 1.0);
}

// `front`: `true` for front faces.
Surface surface_of(vec3 base, bool front, vec3 v) {
    Surface s;
    float side = front ? 1.0 : -1.0;
    vec3 n = mesh_normal(side);
    s.normal = n;
#if defined(NORMAL_UV) || defined(CLEARCOAT_NORMAL_UV) || defined(ANISOTROPY)
    mat2x3 frame = tangents(n, side, FRAME_UV);
#endif
#ifdef NORMAL_UV
    s.normal = bent(n, frame, texture(u_normal_texture, NORMAL_UV).xyz, m_normal_scale);
#endif
    s.normal *= side;
    vec2 rough_metal = metallic_roughness();
    s.metallic = rough_metal.x;
    s.metal = base;

    float ior = m_ior;
    // F0 at the border with air, before squaring. An index of 0 stands for an infinite one.
    float head_on = ior > 0.0 ? (ior - 1.0) / (ior + 1.0) : 1.0;
    s.body = vec3(head_on * head_on);
    s.body_edge = vec3(1.0);
#ifdef SPECULAR_GLOSSINESS
    s.metallic = 0.0;
    s.body = m_specular_color;
    rough_metal.y = 1.0 - m_glossiness;
    // The diffuse part excludes F0.
    base *= 1.0 - most(s.body);
#elif defined(SPECULAR)
    float mirrored = m_specular;
    s.body = min(s.body * m_specular_color, 1.0) * mirrored;
    s.body_edge = vec3(mirrored);
#endif
    s.sharp = clamp(rough_metal.y, 0.0, 1.0);
    s.alpha = roughened(rough_metal.y, s.normal);
    s.roughness = sqrt(s.alpha);
    s.diffuse = base * (1.0 - s.metallic);
    s.passed = vec3(0.0);
#ifdef TRANSMISSION
    float through = m_transmission;
    s.passed = s.diffuse * through;
    s.diffuse *= 1.0 - through;
#endif
#ifdef DIFFUSE_TRANSMISSION
    float scattering = m_diffuse_transmission;
    s.scattered = m_diffuse_transmission_color * (scattering * (1.0 - s.metallic));
    s.diffuse *= 1.0 - scattering;
#ifdef TRANSMISSION
    s.scattered *= 1.0 - through;
#endif
#ifdef VOLUME
    s.scattered *= volume_tint(way_through());
#endif
#endif
#ifdef IRIDESCENCE
    float film = m_iridescence;
    float film_ior = m_iridescence_ior;
    float thick = film_thickness();
    float n_v = clamp(abs(dot(s.normal, v)), 1e-4, 1.0);
    s.film = thick > 0.0 ? film : 0.0;
    s.body_film = thin_film(n_v, film_ior, thick, s.body);
    s.metal_film = thin_film(n_v, film_ior, thick, s.metal);
#endif
#ifdef ANISOTROPY
    vec3 along = direction(frame * brush_direction());
    along = direction(along - s.normal * dot(s.normal, along));
    s.anisotropy = clamp(m_anisotropy_strength, 0.0, 1.0);
    if (along == vec3(0.0)) {
        // Without a direction there is no anisotropy.
        s.anisotropy = 0.0;
        along = normalize(cross(abs(s.normal.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0), s.normal));
    }
    s.tangent = along;
    s.bitangent = cross(s.normal, along);
    s.alpha_along = mix(s.alpha, 1.0, s.anisotropy * s.anisotropy);
#endif
#ifdef SHEEN
    s.sheen = vec4(m_sheen_color, m_sheen_roughness);
#endif
#ifdef CLEARCOAT
    s.coat = m_clearcoat;
    float coat_roughness = m_clearcoat_roughness;
    s.coat_normal = n;
#ifdef CLEARCOAT_NORMAL_UV
    s.coat_normal = bent(n, frame, texture(u_clearcoat_normal_texture, CLEARCOAT_NORMAL_UV).xyz, m_clearcoat_normal_scale);
#endif
    s.coat_normal *= side;
    s.coat_sharp = clamp(coat_roughness, 0.0, 1.0);
    s.coat_roughness = sqrt(roughened(coat_roughness, s.coat_normal));
#endif
    return s;
}

// The Fresnel reflectance of the dielectric body, then of a metal.
vec3 body_fresnel(Surface s, float cosine) {
    vec3 mirrored = mix(s.body, s.body_edge, edge_weight(cosine));
#ifdef IRIDESCENCE
    mirrored = mix(mirrored, s.body_film, s.film);
#endif
    return mirrored;
}

vec3 metal_fresnel(Surface s, float cosine) {
    vec3 mirrored = mix(s.metal, vec3(1.0), edge_weight(cosine));
#ifdef IRIDESCENCE
    mirrored = mix(mirrored, s.metal_film, s.film);
#endif
    return mirrored;
}

#ifdef CLEARCOAT
// The fraction of light that the clear coat reflects; the rest reaches the layers below.
float coat_share(Surface s, vec3 v) {
    return s.coat * mix(0.04, 1.0, edge_weight(abs(dot(s.coat_normal, v))));
}
#endif

// The reflected radiance of a light of irradiance π from direction `l`.
vec3 reflect_light(Surface s, vec3 v, vec3 l) {
    vec3 n = s.normal;
    float n_l = clamp(dot(n, l), 0.0, 1.0);
    float n_v = clamp(abs(dot(n, v)), 1e-4, 1.0);
    vec3 h = direction(l + v);
    float n_h = clamp(dot(n, h), 0.0, 1.0);
    float v_h = clamp(dot(v, h), 0.0, 1.0);
#ifdef ANISOTROPY
    vec2 alphas = vec2(s.alpha_along, s.alpha);
    vec2 across_l = vec2(dot(s.tangent, l), dot(s.bitangent, l));
    vec2 across_v = vec2(dot(s.tangent, v), dot(s.bitangent, v));
    vec3 half_way = vec3(dot(s.tangent, h), dot(s.bitangent, h), n_h);
    float lobe = PI * brushed_facets(half_way, alphas) * brushed_visibility(n_l, n_v, across_l, across_v, alphas);
#else
    float lobe = PI * facets(n_h, s.alpha) * visibility(n_l, n_v, s.alpha);
#endif
    vec3 body = body_fresnel(s, v_h);
    vec3 mirrored = mix(body, metal_fresnel(s, v_h), s.metallic);
    vec3 light = n_l * (s.diffuse * (1.0 - most(body)) + mirrored * lobe);
#ifdef SHEEN
    float kept = 1.0 - most(s.sheen.rgb) * max(sheen_share(n_v, s.sheen.a), sheen_share(n_l, s.sheen.a));
    light = light * kept + s.sheen.rgb * (n_l * PI * sheen_lobe(n_l, n_v, n_h, s.sheen.a));
#endif
#ifdef DIFFUSE_TRANSMISSION
    // The Fresnel factor is that of the light mirrored to this side: opposite directions have no half vector.
    float beyond = clamp(-dot(n, l), 0.0, 1.0);
    float v_m = clamp(dot(v, direction(reflect(l, n) + v)), 0.0, 1.0);
    vec3 scattered = s.scattered * (beyond * (1.0 - most(body_fresnel(s, v_m))));
#ifdef SHEEN
    scattered *= 1.0 - most(s.sheen.rgb) * sheen_share(n_v, s.sheen.a);
#endif
    light += scattered;
#endif
#ifdef CLEARCOAT
    float c_l = clamp(dot(s.coat_normal, l), 0.0, 1.0);
    float c_v = clamp(abs(dot(s.coat_normal, v)), 1e-4, 1.0);
    float c_h = clamp(dot(s.coat_normal, h), 0.0, 1.0);
    float coat_alpha = s.coat_roughness * s.coat_roughness;
    float coat = c_l * PI * facets(c_h, coat_alpha) * visibility(c_l, c_v, coat_alpha);
    light = mix(light, vec3(coat), coat_share(s, v));
#endif
    return light;
}

// Reflectance of uniform light: single scattering, and multiple scattering between microfacets (Fdez-Agüera 2019).
struct Mirrored {
    vec3 once;
    vec3 more;
};

Mirrored mirrored_of(vec3 once, vec3 head_on, vec3 edge, float all) {
    vec3 average = head_on + (edge - head_on) / 21.0;
    return Mirrored(once, (1.0 - all) * once * average / (1.0 - average * (1.0 - all)));
}

Mirrored body_mirrored(Surface s, vec2 share) {
    float all = share.x + share.y;
    vec3 once = s.body * share.x + s.body_edge * share.y;
#ifdef IRIDESCENCE
    once = mix(once, s.body_film * all, s.film);
    return mirrored_of(once, mix(s.body, s.body_film, s.film), mix(s.body_edge, s.body_film, s.film), all);
#else
    return mirrored_of(once, s.body, s.body_edge, all);
#endif
}

Mirrored metal_mirrored(Surface s, vec2 share) {
    float all = share.x + share.y;
    vec3 once = s.metal * share.x + share.y;
#ifdef IRIDESCENCE
    once = mix(once, s.metal_film * all, s.film);
    return mirrored_of(once, mix(s.metal, s.metal_film, s.film), mix(vec3(1.0), s.metal_film, s.film), all);
#else
    return mirrored_of(once, s.metal, vec3(1.0), all);
#endif
}

// The reflected light of the environment. `ambient`: the ambient occlusion; `passed`: the fraction of the light from behind
// that the surface transmits.
vec3 reflect_environment(Surface s, vec3 v, float ambient, out vec3 passed) {
    vec3 n = s.normal;
    float n_v = clamp(abs(dot(n, v)), 1e-4, 1.0);
    vec2 share = environment_brdf(n_v, s.roughness);
    Mirrored body = body_mirrored(s, share);
    Mirrored metal = metal_mirrored(s, share);
    vec3 axis = n;
#ifdef ANISOTROPY
    // Stretches reflections along the tangent, by bending the normal.
    vec3 leaning = cross(cross(s.bitangent, v), s.bitangent);
    float keep = 1.0 - s.anisotropy * (1.0 - s.roughness);
    keep *= keep;
    axis = direction(mix(leaning, n, keep * keep));
#endif
    vec3 r = reflect(-v, axis);
    vec3 around = environment_diffuse(n);
    vec3 once = mix(body.once, metal.once, s.metallic);
    vec3 more = mix(body.more, metal.more, s.metallic);
    float below = 1.0 - most(body.once + body.more);
    vec3 light = environment_specular(r, s.sharp) * once + around * (more + s.diffuse * below);
#ifdef DIFFUSE_TRANSMISSION
    light += environment_diffuse(-n) * s.scattered * below;
#endif
    light *= ambient;
    passed = s.passed * below;
#ifdef SHEEN
    float sheen = sheen_share(n_v, s.sheen.a);
    float under = 1.0 - most(s.sheen.rgb) * sheen;
    light = light * under + ambient * around * s.sheen.rgb * sheen;
    passed *= under;
#endif
#ifdef CLEARCOAT
    vec3 mirror = reflect(-v, s.coat_normal);
    float coat = coat_share(s, v);
    light = mix(light, ambient * environment_specular(mirror, s.coat_sharp), coat);
    passed *= 1.0 - coat;
#endif
    return light;
}
