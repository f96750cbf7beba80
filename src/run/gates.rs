//! The gates: which listeners are opened, and what those who come by them are told of the house.

use std::{
    collections::BTreeSet,
    net::{SocketAddr, TcpListener},
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::screens::{
    Gateway, Listener, Manners, Opened, addresses,
    listen::{Where, listen_at},
    tls::{Certificate, Source},
};

/// What is open beyond this machine. Nothing, unless somebody says so.
#[derive(Clone, Debug, Default)]
pub struct Beyond {
    /// For the hall, encrypted.
    pub lan: Option<Where>,
    /// For the hall, in the clear.
    pub lan_plain: Option<Where>,
    /// For spectators.
    pub public: Option<Where>,
    /// A given certificate and its key, for the first.
    pub certificate: Option<(PathBuf, PathBuf)>,
    /// What the machine is called, which pages may show it, and who asks for others.
    pub manners: Manners,
}

/// A port that is ours, before anybody is served by it.
pub(super) struct Taken {
    listener: Listener,
    /// The host's name it was asked for by.
    name: Option<String>,
    socket: TcpListener,
}

/// A port of each, before anything else is touched.
pub(super) fn take_ports(listen: &Where, beyond: &Beyond) -> anyhow::Result<Vec<Taken>> {
    let wanted = [
        (Listener::Loopback, Some(listen)),
        (Listener::Lan, beyond.lan.as_ref()),
        (Listener::LanPlain, beyond.lan_plain.as_ref()),
        (Listener::Public, beyond.public.as_ref()),
    ];
    let mut taken = Vec::new();
    for (listener, place) in wanted {
        if let Some(place) = place {
            taken.push(Taken { listener, name: place.name.clone(), socket: listen_at(place)? });
        }
    }
    Ok(taken)
}

/// Opens a gate at each port.
pub(super) fn open(
    taken: Vec<Taken>,
    given: Option<&(PathBuf, PathBuf)>,
    manners: &Manners,
    state: &Path,
) -> anyhow::Result<(Vec<Gateway>, Arc<Vec<Opened>>)> {
    let (mut gateways, mut opened) = (Vec::new(), Vec::new());
    for Taken { listener, name, socket } in taken {
        let address = socket.local_addr()?;
        let certificate =
            if listener == Listener::Lan { Some(certificate(given, manners, state, address)?) } else { None };
        let proxies = if listener == Listener::Public { manners.proxies.clone() } else { Vec::new() };
        gateways.push(Gateway { socket, listener, certificate: certificate.clone(), proxies });
        opened.push(Opened { listener, address, name, certificate });
    }
    Ok((gateways, Arc::new(opened)))
}

fn certificate(
    given: Option<&(PathBuf, PathBuf)>,
    manners: &Manners,
    state: &Path,
    address: SocketAddr,
) -> anyhow::Result<Certificate> {
    let source = match given {
        Some((certificate, key)) => Source::Given { certificate: certificate.clone(), key: key.clone() },
        None => {
            let addresses = addresses::reachable(address).iter().map(|address| address.ip().to_string()).collect();
            let names = [addresses, manners.names.clone()].concat();
            Source::Own { state: state.to_owned(), names }
        }
    };
    Ok(Certificate::open(source)?)
}

/// The machine's own name, those it was opened by and those of the configuration.
pub(super) fn known_by(listen: &Where, beyond: &Beyond) -> Manners {
    let Beyond { lan, lan_plain, public, manners, .. } = beyond;
    let opened_by = [Some(listen), lan.as_ref(), lan_plain.as_ref(), public.as_ref()].into_iter().flatten();
    let opened_by = opened_by.filter_map(|place| place.name.clone());
    let names = addresses::names().into_iter().chain(opened_by).chain(manners.names.iter().cloned());
    Manners { names: names.collect::<BTreeSet<_>>().into_iter().collect(), ..manners.clone() }
}
