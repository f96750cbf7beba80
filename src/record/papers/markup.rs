//! Pages and their parts as HTML: names come from files of all kinds, and none of them is markup.

use std::fmt::{Display, Write};

use super::desk::{Dress, STYLE};

/// A whole page.
pub(super) fn page(title: &str, dress: Dress, body: &str) -> String {
    let style = match dress {
        Dress::Linked(address) => format!("<link rel=\"stylesheet\" href=\"{address}\">"),
        Dress::Inside => format!("<style>\n{STYLE}</style>"),
    };
    let title = escaped(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n{style}\n</head>\n\
         <body>\n{body}</body>\n</html>\n"
    )
}

/// Text that says what it says, and nothing that no printer knows.
pub(super) fn escaped(text: &str) -> String {
    quoted(&text.replace(char::is_control, " "))
}

/// Text of any kind within markup.
pub(crate) fn quoted(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            other => safe.push(other),
        }
    }
    safe
}

/// A table: its headings, and rows whose cells are markup already.
pub(super) fn table<R: IntoIterator<Item = String>>(
    class: &str,
    headings: &[&str],
    rows: impl IntoIterator<Item = R>,
) -> String {
    let mut out = format!("<table class=\"{class}\">\n");
    if !headings.is_empty() {
        let headings = headings.iter().map(|heading| format!("<th>{}</th>", escaped(heading))).collect::<String>();
        add(&mut out, format_args!("<thead><tr>{headings}</tr></thead>\n"));
    }
    out.push_str("<tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        row.into_iter().for_each(|cell| add(&mut out, cell));
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n");
    out
}

/// A cell.
pub(super) fn cell(text: &str) -> String {
    format!("<td>{}</td>", escaped(text))
}

/// A cell with a number or a time.
pub(super) fn number(text: impl Display) -> String {
    format!("<td class=\"number\">{}</td>", escaped(&text.to_string()))
}

/// A cell with a move.
pub(super) fn played(text: &str) -> String {
    format!("<td class=\"move\">{}</td>", escaped(text))
}

/// Adds to a page.
pub(super) fn add(out: &mut String, part: impl Display) {
    write!(out, "{part}").expect("writing to a string does not fail");
}

/// Hours, minutes and seconds.
pub(super) fn time(ms: u64) -> String {
    let seconds = ms / 1000;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_markup() {
        let page = page("<script>", Dress::Linked("/report/print.css"), &cell("\"O'Neill\" & <b>\u{7}Söhne"));
        assert!(page.contains("&lt;script&gt;") && !page.contains("<script>"), "{page}");
        assert!(page.contains("&quot;O'Neill&quot; &amp; &lt;b&gt; Söhne"), "{page}");
    }
}
