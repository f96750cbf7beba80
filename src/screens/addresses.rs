//! The addresses this machine has, as the kernel lists them. Asking the usual way takes a netlink socket, which the
//! service unit does without.

use std::{
    collections::BTreeSet,
    fs,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
};

/// Where somebody who was told to listen on `address` can be reached: itself, or all addresses of the machine where it
/// stands for all.
pub fn reachable(address: SocketAddr) -> Vec<SocketAddr> {
    if !address.ip().is_unspecified() {
        return vec![address];
    }
    let of_kind = |ip: &IpAddr| address.is_ipv6() || ip.is_ipv4();
    let all = of_this_machine().into_iter().filter(of_kind);
    all.map(|ip| SocketAddr::new(ip, address.port())).collect()
}

/// The machine's name, and the one it has on its own network; as addresses they can't mean another machine.
pub fn names() -> Vec<String> {
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    if name.is_empty() || name == "localhost" {
        return Vec::new();
    }
    let local = (!name.contains('.')).then(|| format!("{name}.local"));
    std::iter::once(name).chain(local).collect()
}

/// All addresses, loopback first. Those that reach no further than a cable and need its name are left out.
fn of_this_machine() -> Vec<IpAddr> {
    let listed = |path| fs::read_to_string(path).unwrap_or_default();
    let mut found = of_version_4(&listed("/proc/self/net/fib_trie"));
    found.extend(of_version_6(&listed("/proc/self/net/if_inet6")));
    found.insert(Ipv4Addr::LOCALHOST.into());
    let (mut loopback, others): (Vec<_>, Vec<_>) = found.into_iter().partition(IpAddr::is_loopback);
    loopback.retain(|ip| *ip == IpAddr::from(Ipv4Addr::LOCALHOST) || *ip == IpAddr::from(Ipv6Addr::LOCALHOST));
    loopback.into_iter().chain(others).collect()
}

/// In the kernel's table of routes an address of our own is a leaf with `/32 host LOCAL` below it.
fn of_version_4(table: &str) -> BTreeSet<IpAddr> {
    let mut found = BTreeSet::new();
    let mut leaf = None;
    for row in table.lines().map(str::trim) {
        if let Some(address) = row.strip_prefix("|-- ") {
            leaf = address.parse::<Ipv4Addr>().ok();
        } else if row.starts_with("/32 host LOCAL") {
            found.extend(leaf.map(IpAddr::from));
        }
    }
    found
}

/// Address in hexadecimal, and its scope in the fourth column.
fn of_version_6(table: &str) -> BTreeSet<IpAddr> {
    const LINK: &str = "20";
    let address = |row: &str| {
        let columns: Vec<&str> = row.split_whitespace().collect();
        let bits = u128::from_str_radix(columns.first()?, 16).ok()?;
        (*columns.get(3)? != LINK).then(|| IpAddr::from(Ipv6Addr::from_bits(bits)))
    };
    table.lines().filter_map(address).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_off_the_kernels_tables() {
        let routes = "\
Main:
  +-- 0.0.0.0/0 3 0 5
     |-- 0.0.0.0
        /0 universe UNICAST
     |-- 192.168.1.0
        /24 link UNICAST
Local:
  +-- 0.0.0.0/0 2 0 2
        |-- 127.0.0.0
           /8 host LOCAL
        |-- 127.0.0.1
           /32 host LOCAL
        |-- 192.168.1.5
           /32 host LOCAL
        |-- 192.168.1.255
           /32 link BROADCAST
";
        let found: Vec<String> = of_version_4(routes).iter().map(ToString::to_string).collect();
        assert_eq!(found, ["127.0.0.1", "192.168.1.5"]);
        let interfaces = "\
00000000000000000000000000000001 01 80 10 80       lo
20010db8000000000000000000000007 02 40 00 80     eth0
fe8000000000000000000000deadbeef 02 40 20 80     eth0
";
        let found: Vec<String> = of_version_6(interfaces).iter().map(ToString::to_string).collect();
        assert_eq!(found, ["::1", "2001:db8::7"]);
    }

    #[test]
    fn an_address_stands_for_itself_and_all_for_all() {
        let one = "192.0.2.1:80".parse().expect("an address");
        assert_eq!(reachable(one), [one]);
        let all = reachable("0.0.0.0:80".parse().expect("an address"));
        assert!(all.contains(&"127.0.0.1:80".parse().expect("an address")), "{all:?}");
        assert!(all.iter().all(SocketAddr::is_ipv4));
    }
}
