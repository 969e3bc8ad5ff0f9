Definition f (a_X a_Y h : K) :=
  let t := a_X / (1 + 1) in
  let h := h * t in
  let p_X := - (t) in
  let p_Y := a_Y - t in
  ((p_X, p_Y), (h)).
