//! What the columns of a table are called, in three languages.

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    Table,
    Round,
    Result,
    Of(Side, Field),
}

/// Whose column it is. Where headings are not told apart, the first of a kind is White's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Side {
    White,
    Black,
}

/// What it says about a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Field {
    Name,
    Title,
    Rating,
    Federation,
    FideId,
    Team,
    Number,
}

const SIDES: [(Side, &[&str]); 2] = [
    (Side::White, &["white", "weiss", "blancas", "blanco", "heim"]),
    (Side::Black, &["black", "schwarz", "negras", "negro", "gast"]),
];

const SIGNS: [(Side, char); 3] = [(Side::White, 'w'), (Side::Black, 'b'), (Side::Black, 's')];

/// Without blanks, signs and accents.
const TABLE: [&str; 14] = [
    "board", "bd", "bo", "table", "tbl", "brett", "br", "tisch", "tablero", "tab", "mesa", "boardno", "brettnr",
    "tischnr",
];
const ROUND: [&str; 6] = ["round", "rd", "rnd", "runde", "ronda", "rda"];
const RESULT: [&str; 7] = ["result", "res", "ergebnis", "erg", "resultado", "resultat", "score"];

const FIELDS: [(Field, &[&str]); 7] = [
    (Field::Name, &["", "name", "player", "spieler", "jugador", "nombre", "playername", "spielername"]),
    (Field::Title, &["title", "titel", "titulo", "tit", "ttl"]),
    (
        Field::Rating,
        &[
            "elo",
            "rating",
            "rtg",
            "fideelo",
            "fiderating",
            "ratingfide",
            "wertung",
            "wertungszahl",
            "eloi",
            "dwz",
            "nwz",
            "eloint",
        ],
    ),
    (Field::Federation, &["fed", "federation", "foderation", "federacion", "land", "country", "nation", "pais"]),
    (
        Field::FideId,
        &[
            "fide",
            "fideid",
            "idfide",
            "fidenr",
            "fideno",
            "fidenumber",
            "fidecode",
            "id",
            "codigofide",
            "idnumber",
            "idcode",
        ],
    ),
    (Field::Team, &["team", "mannschaft", "equipo", "club", "verein"]),
    (Field::Number, &["no", "nr", "num", "startnr", "snr", "startno", "sno", "startnumber", "rank"]),
];

/// What a heading means; `None` for one that says nothing we want. `seen` counts the columns of each kind so far.
pub(crate) fn column(heading: &str, seen: &mut Vec<Field>) -> Option<Column> {
    let plain = plain(heading);
    if TABLE.contains(&plain.as_str()) {
        return Some(Column::Table);
    }
    if ROUND.contains(&plain.as_str()) {
        return Some(Column::Round);
    }
    if RESULT.contains(&plain.as_str()) {
        return Some(Column::Result);
    }
    for (side, words) in SIDES {
        for word in words {
            let rest = plain.strip_prefix(word).or_else(|| plain.strip_suffix(word));
            if let Some(field) = rest.and_then(field) {
                return Some(Column::Of(side, field));
            }
        }
    }
    // Where nothing else is meant by the whole, a letter before it says whose it is: WElo, BTitle.
    if field(&plain).is_none()
        && let Some((side, field)) =
            SIGNS.iter().find_map(|(side, sign)| Some((*side, field(plain.strip_prefix(*sign)?)?)))
    {
        return Some(Column::Of(side, field)).filter(|_| field != Field::Name);
    }
    let field = field(&plain).filter(|_| !plain.is_empty())?;
    let side = if seen.contains(&field) { Side::Black } else { Side::White };
    seen.push(field);
    Some(Column::Of(side, field))
}

fn field(plain: &str) -> Option<Field> {
    FIELDS.into_iter().find(|(_, words)| words.contains(&plain)).map(|(field, _)| field)
}

/// Letters only, small, without accents.
pub(crate) fn plain(heading: &str) -> String {
    let letters = heading.chars().flat_map(char::to_lowercase).filter(|c| c.is_alphanumeric());
    let mut plain = String::new();
    for letter in letters {
        match letter {
            'á' | 'à' | 'ä' | 'â' => plain.push('a'),
            'é' | 'è' | 'ê' => plain.push('e'),
            'í' | 'ì' => plain.push('i'),
            'ó' | 'ò' | 'ö' => plain.push('o'),
            'ú' | 'ù' | 'ü' => plain.push('u'),
            'ß' => plain.push_str("ss"),
            'º' | '°' => {}
            plain_letter => plain.push(plain_letter),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(headings: &[&str]) -> Vec<Option<Column>> {
        let mut seen = Vec::new();
        headings.iter().map(|heading| column(heading, &mut seen)).collect()
    }

    #[test]
    fn headings_are_known_in_three_languages() {
        use Field::{FideId, Name, Rating};
        let white = |field| Some(Column::Of(Side::White, field));
        let black = |field| Some(Column::Of(Side::Black, field));
        assert_eq!(all(&["Board", "White", "Black"]), [Some(Column::Table), white(Name), black(Name)]);
        assert_eq!(all(&["Brett", "Weiß", "Schwarz"]), [Some(Column::Table), white(Name), black(Name)]);
        assert_eq!(all(&["Tablero", "Blancas", "Negras"]), [Some(Column::Table), white(Name), black(Name)]);
        assert_eq!(all(&["white_fide", "Elo Schwarz", "BlackElo"]), [white(FideId), black(Rating), black(Rating)]);
        assert_eq!(all(&["WElo", "BFideId", "wno"]), [white(Rating), black(FideId), white(Field::Number)]);
    }

    #[test]
    fn of_two_headings_alike_the_first_is_white_s() {
        let white = Some(Column::Of(Side::White, Field::Rating));
        let black = Some(Column::Of(Side::Black, Field::Rating));
        assert_eq!(all(&["Rtg", "Pts.", "Rtg"]), [white, None, black]);
    }
}
