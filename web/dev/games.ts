// Games everybody knows, for the fake hall to play.

export const GAMES = [
  // Morphy against the Duke of Brunswick and Count Isouard, Paris 1858.
  "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#",
  // Anderssen against Kieseritzky, London 1851.
  "e4 e5 f4 exf4 Bc4 Qh4+ Kf1 b5 Bxb5 Nf6 Nf3 Qh6 d3 Nh5 Nh4 Qg5 Nf5 c6 g4 Nf6 Rg1 cxb5 h4 Qg6 h5 Qg5 Qf3 Ng8 Bxf4 Qf6 Nc3 Bc5 Nd5 Qxb2 Bd6 Bxg1 e5 Qxa1+ Ke2 Na6 Nxg7+ Kd8 Qf6+ Nxf6 Be7#",
  // Réti against Tartakower, Vienna 1910.
  "e4 c6 d4 d5 Nc3 dxe4 Nxe4 Nf6 Qd3 e5 dxe5 Qa5+ Bd2 Qxe5 O-O-O Nxe4 Qd8+ Kxd8 Bg5+ Kc7 Bd8#",
  // Anderssen against Dufresne, Berlin 1852.
  "e4 e5 Nf3 Nc6 Bc4 Bc5 b4 Bxb4 c3 Ba5 d4 exd4 O-O d3 Qb3 Qf6 e5 Qg6 Re1 Nge7 Ba3 b5 Qxb5 Rb8 Qa4 Bb6 Nbd2 Bb7 Ne4 Qf5 Bxd3 Qh5 Nf6+ gxf6 exf6 Rg8 Rad1 Qxf3 Rxe7+ Nxe7 Qxd7+ Kxd7 Bf5+ Ke8 Bd7+ Kf8 Bxe7#",
].map((game) => game.split(" "));

export const PLAYERS = [
  ["Okafor, Ada", "WGM", 2341], ["Lindqvist, Jonas", "IM", 2412], ["Ferreira, Tomás", "GM", 2588], ["Nakagawa, Yui", "WIM", 2290],
  ["Brandt, Elisabeth", "FM", 2301], ["Mwangi, Peter", "CM", 2175], ["Castellanos de la Vega, María José", "WGM", 2377], ["Ó Briain, Seán", "", 2088],
  ["Kowalczyk, Zofia", "WFM", 2144], ["Dubois, Étienne", "IM", 2455], ["Hansen, Freja", "", 1987], ["Rao, Vikram", "GM", 2521],
  ["Papadopoulos, Nikos", "FM", 2333], ["Silva, Beatriz", "WCM", 2011], ["van den Berg, Lotte", "", 1893], ["Yılmaz, Deniz", "IM", 2398],
] as const;
