// The tint of a crowd member.
#ifdef CROWD
in vec4 v_tint;

#define u_base_color (u_base_color * v_tint)
#endif
