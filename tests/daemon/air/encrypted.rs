//! Sites by https: told when they prove who they are, and told nothing otherwise.

use std::{fs, path::Path, sync::Arc};

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use rustls::{
    ServerConfig,
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
};
use serde_json::json;
use tempfile::TempDir;

use super::{
    done, insert,
    site::{Site, TOKEN},
};
use crate::support::{Daemon, escaque, until};

#[test]
fn a_site_by_https_is_told_when_it_proves_who_it_is_and_nothing_otherwise() {
    let folder = TempDir::new().expect("a folder for the test");
    let at = |name: &str| folder.path().join(name);
    let (known, stranger) =
        (Site::open_encrypted(signed(&at("known.pem"))), Site::open_encrypted(signed(&at("other.pem"))));
    fs::write(at("token"), TOKEN).expect("writable");
    let target = |name: &str, host: &str, site: &Site| {
        let port = site.address.port();
        format!(
            "[[air]]\nname = \"{name}\"\nkind = \"lichess\"\nevent = \"open\"\nwait = 0\n\
             url = \"https://{host}:{port}\"\nrounds = {{ 1 = \"abcdEFGH\" }}\ntoken-file = \"{}\"\n",
            at("token").display()
        )
    };
    // Its certificate names localhost and no number.
    let config = [
        target("known", "localhost", &known),
        target("by-number", "127.0.0.1", &known),
        target("stranger", "localhost", &stranger),
    ];
    fs::write(at("escaque.toml"), config.concat()).expect("writable");
    let daemon = Daemon::start_as(&at("state"), |command| {
        command.arg("--config").arg(at("escaque.toml")).args(["--port", "/nowhere/*"]);
        command.env("SSL_CERT_FILE", at("known.pem")).env_remove("SSL_CERT_DIR");
    });
    done(&daemon, json!({ "command": "open_round", "event": "open", "round": 1 }));
    let [white, black] = ["Xie Jun", "Ju Wenjun"].map(|name| json!({ "name": name }));
    done(&daemon, json!({ "command": "pair", "table": "open/1/1", "white": white, "black": black }));
    done(&daemon, json!({ "command": "assign", "table": "open/1/1", "board": "20001" }));
    done(&daemon, json!({ "command": "new_game", "table": "open/1/1" }));
    insert(&daemon, 1, &["e4", "e5"]);
    let told = ("e4 e5".to_owned(), "*".to_owned());
    until("the game", || (known.games().get("open/1/1") == Some(&told)).then_some(()));
    let output = escaque().args(["air", "--state"]).arg(at("state")).output().expect("the program starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("ok its token is accepted"), "{said}");
    for host in ["127.0.0.1", "localhost"] {
        assert!(said.contains(&format!("!! {host} does not prove who it is")), "{said}");
    }
    assert!(stranger.games().is_empty() && stranger.told().heard == 0, "not even a token is said to a stranger");
    assert!(daemon.stop().success());
}

/// A certificate for localhost, by somebody whose own is written down there.
fn signed(by: &Path) -> Arc<ServerConfig> {
    let mut authority = CertificateParams::default();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    authority.distinguished_name.push(DnType::CommonName, by.display().to_string());
    let key = KeyPair::generate().expect("random numbers");
    fs::write(by, authority.self_signed(&key).expect("a certificate").pem()).expect("writable");
    let issuer = Issuer::new(authority, key);
    let key = KeyPair::generate().expect("random numbers");
    let own = CertificateParams::new(vec!["localhost".to_owned()]).expect("a name");
    let own = own.signed_by(&key, &issuer).expect("a certificate");
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.expect("usual versions").with_no_client_auth().with_single_cert(vec![own.der().clone()], key);
    Arc::new(config.expect("a key that fits"))
}
