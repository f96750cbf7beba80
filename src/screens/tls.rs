//! Certificates for the hall's network: a given one, or one of our own whose fingerprint people can compare.

use std::{
    fs,
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
    time::{Duration, SystemTime},
};

use rcgen::{CertificateParams, DnType, ExtendedKeyUsagePurpose, KeyPair, KeyUsagePurpose};
use rustls::{
    ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
};
use tokio_rustls::TlsAcceptor;

/// Telephones take none that is good for more than 825 days.
const DAYS: i64 = 800;
/// Ours is made anew when it is so old, at a start.
const OLD: Duration = Duration::from_secs(60 * 60 * 24 * 700);
/// Certificate and key of our own, in the state folder.
const FILE: &str = "lan.pem";

/// Where a certificate comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// From files.
    Given {
        /// The certificate and those that vouch for it, as PEM.
        certificate: PathBuf,
        /// Its key, as PEM.
        key: PathBuf,
    },
    /// Our own, kept in this folder, for these names and addresses.
    Own {
        /// The state folder.
        state: PathBuf,
        /// What the machine is called.
        names: Vec<String>,
    },
}

/// Why there is no TLS. Each says what to try next.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file can't be read or written.
    #[error("{path} can't be used: {cause}; check that it is there and belongs to this user")]
    File {
        /// Which.
        path: PathBuf,
        /// What the system said.
        #[source]
        cause: io::Error,
    },
    /// A file holds something else.
    #[error("{path} holds no {what} in PEM form: give the file that begins with -----BEGIN")]
    NotPem {
        /// Which.
        path: PathBuf,
        /// What should be in it.
        what: &'static str,
    },
    /// Certificate and key don't go together, or are of no kind we know.
    #[error("certificate and key can't be used: {0}; give the two files that were made together")]
    Unusable(#[from] rustls::Error),
    /// None could be made.
    #[error("no certificate could be made: {0}; give one with `certificate` and `key` in the configuration")]
    Making(#[from] rcgen::Error),
}

/// The certificate in force. Cheap to clone; all clones are one, and all see a new one at once.
#[derive(Clone, Debug)]
pub struct Certificate {
    source: Arc<Source>,
    current: Arc<RwLock<Current>>,
}

#[derive(Clone, Debug)]
struct Current {
    config: Arc<ServerConfig>,
    fingerprint: String,
}

impl Certificate {
    /// Reads the certificate, or makes one where it is our own and there is none yet.
    pub fn open(source: Source) -> Result<Certificate, TlsError> {
        let current = read(&source)?;
        Ok(Certificate { source: Arc::new(source), current: Arc::new(RwLock::new(current)) })
    }

    /// Reads it again. Where that fails the one in force stays.
    pub fn reload(&self) -> Result<(), TlsError> {
        let current = read(&self.source)?;
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = current;
        Ok(())
    }

    /// The SHA-256 of the certificate, as browsers show it.
    pub fn fingerprint(&self) -> String {
        self.current().fingerprint
    }

    /// Whether people have to compare the fingerprint, as nobody vouches for it.
    pub fn is_own(&self) -> bool {
        matches!(*self.source, Source::Own { .. })
    }

    /// For the next connection.
    pub(super) fn acceptor(&self) -> TlsAcceptor {
        self.current().config.into()
    }

    fn current(&self) -> Current {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn read(source: &Source) -> Result<Current, TlsError> {
    match source {
        Source::Given { certificate, key } => current(certificate, key),
        Source::Own { state, names } => {
            let path = state.join(FILE);
            if is_missing_or_old(&path, names) {
                make(&path, names)?;
            }
            current(&path, &path)
        }
    }
}

fn current(certificate: &Path, key: &Path) -> Result<Current, TlsError> {
    let text = |path: &Path| fs::read(path).map_err(failed(path));
    let chain: Vec<_> = CertificateDer::pem_slice_iter(&text(certificate)?).filter_map(Result::ok).collect();
    let Some(first) = chain.first() else {
        return Err(TlsError::NotPem { path: certificate.to_owned(), what: "certificate" });
    };
    let fingerprint = fingerprint(first);
    let key = PrivateKeyDer::from_pem_slice(&text(key)?)
        .map_err(|_| TlsError::NotPem { path: key.to_owned(), what: "private key" })?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, key)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Current { config: Arc::new(config), fingerprint })
}

fn fingerprint(certificate: &[u8]) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, certificate);
    digest.as_ref().iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(":")
}

/// One for other names is none for these. They stand in front of it, as files of this form allow.
fn is_missing_or_old(path: &Path, names: &[String]) -> bool {
    let Ok(text) = fs::read_to_string(path) else { return true };
    let first = text.lines().next().unwrap_or_default();
    let has = first.strip_prefix("# ").unwrap_or_default().split(' ').collect::<Vec<_>>();
    let age = fs::metadata(path)
        .and_then(|file| file.modified())
        .ok()
        .and_then(|made| SystemTime::now().duration_since(made).ok());
    names.iter().any(|name| !has.contains(&name.as_str())) || age.is_some_and(|age| age > OLD)
}

fn make(path: &Path, names: &[String]) -> Result<(), TlsError> {
    let key = KeyPair::generate()?;
    let mut params = CertificateParams::new(names.to_vec())?;
    params.distinguished_name.push(DnType::CommonName, "Escaque");
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let today = jiff::Zoned::now().date();
    let day = |days: i64| {
        let date = today.saturating_add(jiff::Span::new().days(days));
        let part = |part: i8| u8::try_from(part).unwrap_or(1);
        rcgen::date_time_ymd(i32::from(date.year()), part(date.month()), part(date.day()))
    };
    // A clock in the hall may be a day behind.
    (params.not_before, params.not_after) = (day(-1), day(DAYS));
    let certificate = params.self_signed(&key)?;
    let text = format!("# {}\n{}{}", names.join(" "), certificate.pem(), key.serialize_pem());
    keep(path, &text).map_err(failed(path))
}

fn keep(path: &Path, text: &str) -> io::Result<()> {
    let new = path.with_extension("new");
    let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&new)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&new, path)
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> TlsError {
    |cause| TlsError::File { path: path.to_owned(), cause }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(folder: &Path, names: &[&str]) -> Source {
        Source::Own { state: folder.to_owned(), names: names.iter().map(|name| (*name).to_owned()).collect() }
    }

    #[test]
    fn one_of_our_own_is_made_once_and_anew_for_a_new_name() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let first = Certificate::open(own(folder.path(), &["127.0.0.1", "hall.local"])).expect("one is made");
        let again = Certificate::open(own(folder.path(), &["127.0.0.1"])).expect("it is kept");
        assert_eq!(again.fingerprint(), first.fingerprint());
        assert_eq!(first.fingerprint().len(), 32 * 3 - 1);
        let moved = Certificate::open(own(folder.path(), &["192.0.2.1"])).expect("one is made");
        assert_ne!(moved.fingerprint(), first.fingerprint());
    }

    #[test]
    fn a_given_one_is_read_again_and_a_broken_one_leaves_the_old_in_force() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join(FILE);
        make(&path, &["hall.example".to_owned()]).expect("one is made");
        let given =
            Certificate::open(Source::Given { certificate: path.clone(), key: path.clone() }).expect("it is good");
        let before = given.fingerprint();
        make(&path, &["hall.example".to_owned()]).expect("one is made");
        assert_eq!(given.fingerprint(), before, "nobody asked for it yet");
        given.reload().expect("it is good");
        let after = given.fingerprint();
        assert_ne!(after, before);
        fs::write(&path, "nothing").expect("the folder is ours");
        let error = given.reload().expect_err("no certificate").to_string();
        assert!(error.contains("-----BEGIN") && error.contains("lan.pem"), "{error}");
        assert_eq!(given.fingerprint(), after);
    }
}
