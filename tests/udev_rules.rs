//! The rules we install for udev, which has no way to check them before they are needed.

const RULES: &str = include_str!("../systemd/70-escaque.rules");

#[test]
fn every_rule_is_a_list_of_keys_with_values() {
    for rule in rules() {
        for part in rule.split("\", ").map(|part| part.trim_end_matches('"')) {
            let (key, value) = part.split_once('"').unwrap_or_else(|| panic!("{rule}: {part} has no value"));
            let name = key.trim_end_matches(['=', '+', '!']);
            let sign = &key[name.len()..];
            assert!(["==", "!=", "=", "+="].contains(&sign), "{rule}: {sign}");
            assert!(
                name.chars().all(|letter| letter.is_ascii_alphanumeric() || "{}_".contains(letter)),
                "{rule}: {name}"
            );
            assert!(!value.contains('"'), "{rule}");
        }
    }
}

#[test]
fn every_jump_lands_further_down() {
    let rules = rules().collect::<Vec<_>>();
    for (at, rule) in rules.iter().enumerate() {
        if let Some((_, label)) = rule.split_once("GOTO=") {
            let landing = format!("LABEL={label}");
            assert!(rules[at..].contains(&landing.as_str()), "{rule}");
        }
    }
}

#[test]
fn modem_manager_is_kept_from_every_board_we_know() {
    for (vendor, product) in [("0403", "6001"), ("04d8", "000a"), ("045b", "8111")] {
        let device = format!(
            "ATTR{{idVendor}}==\"{vendor}\", ATTR{{idProduct}}==\"{product}\", ENV{{ID_MM_DEVICE_IGNORE}}=\"1\""
        );
        let port = format!("ATTRS{{idVendor}}==\"{vendor}\", ATTRS{{idProduct}}==\"{product}\", GOTO=\"escaque_port\"");
        assert!(rules().any(|rule| rule.contains(&device)), "{vendor}:{product}");
        assert!(rules().any(|rule| rule.contains(&port)), "{vendor}:{product}");
    }
}

fn rules() -> impl Iterator<Item = &'static str> {
    RULES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}
