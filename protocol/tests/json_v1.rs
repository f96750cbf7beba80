//! Red here means that scripts that read `escaque decode` break.
//!
//! A new kind of message adds a line. A line that has to change is a new version of the format.

use protocol::board::dgt::{Decoder, View};

#[test]
fn one_board() {
    for (wire, json) in [
        ("8e00053400", r#"{"type":"field_update","square":"e2","piece":null}"#),
        ("8e0005060b", r#"{"type":"field_update","square":"g8","piece":"k"}"#),
        ("8e0005060d", r#"{"type":"field_update","square":"g8","piece":null}"#),
        (
            "86004308090a0c0b0a090807070707070707070000000000000000000000000000000000000000000000000000000000000000\
             01010101010101010203040605040302",
            r#"{"type":"board_dump","placement":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"}"#,
        ),
        (
            "8d000a20050520050409",
            r#"{"type":"clock_time","left_s":304,"right_s":305,"running":true,"left_to_move":true,"right_to_move":false,"lever_high":"left","battery_low":false,"left_flags":2,"right_flags":2}"#,
        ),
        (
            "8d000a30000040001616",
            r#"{"type":"clock_time","left_s":16,"right_s":0,"running":false,"left_to_move":false,"right_to_move":true,"lever_high":"right","battery_low":true,"left_flags":4,"right_flags":3}"#,
        ),
        ("8d000a0a10030a000000", r#"{"type":"clock_ack","ack":[16,3,0,0],"ok":true,"auto":false}"#),
        ("8d000a0a400a0a000000", r#"{"type":"clock_ack","ack":[64,10,0,0],"ok":false,"auto":false}"#),
        ("8d000a0a10012a000000", r#"{"type":"clock_ack","ack":[16,129,0,0],"ok":true,"auto":true}"#),
        ("8d000a0a10082a053100", r#"{"type":"clock_ack","ack":[16,136,5,49],"ok":true,"auto":true,"button":"back"}"#),
        (
            "8d000a0a10090a200000",
            r#"{"type":"clock_ack","ack":[16,9,32,0],"ok":true,"auto":false,"version":{"major":2,"minor":0}}"#,
        ),
        ("8d000a00000000000020", r#"{"type":"clock_absent"}"#),
        ("8d000a00000000000000", r#"{"type":"clock_null"}"#),
        ("930005030a", r#"{"type":"version","major":3,"minor":10}"#),
        ("9600050102", r#"{"type":"hardware_version","major":1,"minor":2}"#),
        ("9100083132333435", r#"{"type":"serial","value":"12345"}"#),
        ("a2000d30303030303132333435", r#"{"type":"long_serial","value":"0000012345"}"#),
        ("9000050801", r#"{"type":"bus_address","value":1025}"#),
        (
            "a0000c547f7f051e02030402",
            r#"{"type":"battery","percent":84,"remaining_min":null,"on_min":330,"standby_min":3064,"charging":false,"discharging":true}"#,
        ),
        (
            "a0000c64010a000000000001",
            r#"{"type":"battery","percent":100,"remaining_min":70,"on_min":0,"standby_min":0,"charging":true,"discharging":false}"#,
        ),
        ("92000c44454d4f0d0a422241", r#"{"type":"trademark","text":"DEMO\r\nB\"A"}"#),
        ("9e000411", r#"{"type":"unknown","id":158,"payload_hex":"11"}"#),
        ("8e00054001", r#"{"type":"invalid","id":142,"reason":"there is no square 0x40","payload_hex":"4001"}"#),
        (
            "8d000a20600020050409",
            r#"{"type":"invalid","id":141,"reason":"no clock shows these digits","payload_hex":"20600020050409"}"#,
        ),
        ("0524", r#"{"type":"noise","skipped":2}"#),
    ] {
        assert_eq!(shown(Decoder::single(), wire), json, "{wire}");
    }
}

#[test]
fn draughts() {
    for (id, half) in [("94", "black"), ("95", "white")] {
        let codes = "01".repeat(50);
        let json = format!(r#"{{"type":"draughts","half":"{half}","codes_hex":"{codes}"}}"#);
        assert_eq!(shown(Decoder::single(), &format!("{id}0035{codes}")), json);
    }
}

#[test]
fn the_event_store() {
    for (events, json) in [
        ("4134", r#"{"event":"piece","square":"e2","piece":"P","quick":false}"#),
        ("5034", r#"{"event":"piece","square":"e2","piece":null,"quick":true}"#),
        ("700500", r#"{"event":"clock","face":"left","time_s":300}"#),
        ("610203", r#"{"event":"clock","face":"right","time_s":3723}"#),
        ("6a", r#"{"event":"power_up"}"#),
        ("6b", r#"{"event":"end"}"#),
        ("6c", r#"{"event":"four_rows"}"#),
        ("6d", r#"{"event":"empty"}"#),
        ("6e", r#"{"event":"downloaded"}"#),
        ("6f", r#"{"event":"initial"}"#),
        ("7a", r#"{"event":"initial_turned"}"#),
        ("7b", r#"{"event":"start"}"#),
        ("7c", r#"{"event":"watchdog"}"#),
        ("7d", r#"{"event":"reserved"}"#),
        ("7e", r#"{"event":"reserved"}"#),
        ("7f", r#"{"event":"nothing"}"#),
        ("00", r#"{"event":"nothing"}"#),
        ("05", r#"{"event":"other","byte":5}"#),
    ] {
        let wire = format!("8f00{:02x}{events}", 3 + events.len() / 2);
        let json = format!(r#"{{"type":"ee_moves","events":[{json}]}}"#);
        assert_eq!(shown(Decoder::single(), &wire), json, "{events}");
    }
}

#[test]
fn boards_on_a_bus() {
    for (wire, json) in [
        (
            "85000a08014034412471",
            r#"{"type":"bus_changes","address":1025,"events":[{"event":"piece","square":"e2","piece":null,"quick":false},{"event":"piece","square":"e4","piece":"P","quick":false}]}"#,
        ),
        ("8500060801 14", r#"{"type":"bus_changes","address":1025,"events":[]}"#),
        ("8600070801 7b 11", r#"{"type":"bus_from_start","address":1025,"events":[{"event":"start"}]}"#),
        (
            "84000d08012005052005040976",
            r#"{"type":"bus_clock","address":1025,"clock":{"type":"clock_time","left_s":304,"right_s":305,"running":true,"left_to_move":true,"right_to_move":false,"lever_high":"left","battery_low":false,"left_flags":2,"right_flags":2}}"#,
        ),
        ("84000d08010000000000002 03a", r#"{"type":"bus_clock","address":1025,"clock":{"type":"clock_absent"}}"#),
        ("870006080116", r#"{"type":"bus_ping","address":1025}"#),
        ("880006080117", r#"{"type":"bus_start_set","address":1025}"#),
        ("890008080101021d", r#"{"type":"bus_version","address":1025,"major":1,"minor":2}"#),
        ("890006080118", r#"{"type":"bus_version","address":1025,"major":null,"minor":null}"#),
        ("8a000808010102 1e", r#"{"type":"bus_draughts","address":1025,"codes_hex":"0102"}"#),
        ("b10007080105 46", r#"{"type":"bus_unknown","address":1025,"id":177,"payload_hex":"05"}"#),
        (
            "870006080117",
            r#"{"type":"invalid","id":135,"reason":"the checksum is 0x17, the bytes add up to 0x16","payload_hex":"080117"}"#,
        ),
    ] {
        assert_eq!(shown(Decoder::bus(), wire), json, "{wire}");
    }
    let empty = format!("8300460801{}52", "00".repeat(64));
    assert_eq!(shown(Decoder::bus(), &empty), r#"{"type":"bus_board","address":1025,"placement":"8/8/8/8/8/8/8/8"}"#);
}

/// The one thing heard in `wire`.
fn shown(mut decoder: Decoder, wire: &str) -> String {
    let digits = wire.replace(' ', "");
    let pair = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).expect("two hex digits");
    decoder.push(&(0..digits.len()).step_by(2).map(pair).collect::<Vec<_>>());
    decoder.silence();
    let heard = decoder.next_heard().expect("something is heard");
    assert_eq!(decoder.next_heard(), None, "one thing only");
    serde_json::to_string(&View::of(&heard)).expect("a view is always JSON")
}
