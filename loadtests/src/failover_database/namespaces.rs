//! A network of its own for each machine: a namespace with one link to a hub, which has a namespace too, so that no
//! rule of this machine's firewall is between them. This machine is on the hub as well, for the servers. Linux and root
//! only.

use super::SYSTEM_PATH;
use crate::failure::Failure;
use std::process::Command;

/// The network is one of those that are set aside for measurements (RFC 2544): nobody routes them.
const NETWORKS: &str = "198.18";
/// How many of these are tried until one is not in use.
const NETWORK_TRIES: usize = 20;

/// The namespaces. Dropping them removes them, once their processes have ended.
pub struct Namespaces {
    /// What the names of all begin with; also the name of this machine's link to the hub.
    id: String,
    /// The first three numbers of addresses.
    prefix: String,
    machines: Vec<&'static str>,
}

/// The link of one machine, which can be pulled.
pub struct NetworkPlug {
    pub namespace: String,
    hub: String,
    link: &'static str,
}

impl Namespaces {
    pub fn make(machines: &[&'static str]) -> Result<Self, Failure> {
        let prefix = free_network()?;
        let namespaces = Self { id: format!("exh{}", std::process::id()), prefix, machines: machines.to_vec() };
        namespaces.make_hub()?;
        for (number, machine) in (2..).zip(machines.iter().copied()) {
            namespaces.make_machine(machine, number)?;
        }
        Ok(namespaces)
    }

    pub fn address(&self, machine: &str) -> Result<String, Failure> {
        let place = self.machines.iter().position(|name| *name == machine).ok_or("an unknown machine")?;
        Ok(format!("{}.{}", self.prefix, place + 2))
    }

    pub fn network(&self) -> String {
        format!("{}.0/24", self.prefix)
    }

    pub fn plug(&self, machine: &'static str) -> NetworkPlug {
        NetworkPlug { namespace: self.name(machine), hub: self.name("hub"), link: machine }
    }

    fn name(&self, machine: &str) -> String {
        format!("{}-{machine}", self.id)
    }

    fn make_hub(&self) -> Result<(), Failure> {
        let (id, hub, address) = (&self.id, &self.name("hub"), &format!("{}.1/24", self.prefix));
        ip(&["netns", "add", hub])?;
        ip(&["-n", hub, "link", "add", "name", "hub", "type", "bridge"])?;
        ip(&["-n", hub, "link", "set", "dev", "hub", "up"])?;
        ip(&["link", "add", "name", id, "type", "veth", "peer", "name", "server", "netns", hub])?;
        self.join_hub("server")?;
        ip(&["address", "add", address, "dev", id])?;
        ip(&["link", "set", "dev", id, "up"])
    }

    fn make_machine(&self, machine: &str, number: u8) -> Result<(), Failure> {
        let (hub, own) = (&self.name("hub"), &self.name(machine));
        let address = &format!("{}.{number}/24", self.prefix);
        ip(&["netns", "add", own])?;
        ip(&["-n", hub, "link", "add", "name", machine, "type", "veth", "peer", "name", "eth0", "netns", own])?;
        self.join_hub(machine)?;
        ip(&["-n", own, "address", "add", address, "dev", "eth0"])?;
        for link in ["lo", "eth0"] {
            ip(&["-n", own, "link", "set", "dev", link, "up"])?;
        }
        Ok(())
    }

    fn join_hub(&self, link: &str) -> Result<(), Failure> {
        let hub = &self.name("hub");
        ip(&["-n", hub, "link", "set", "dev", link, "master", "hub"])?;
        ip(&["-n", hub, "link", "set", "dev", link, "up"])
    }
}

impl Drop for Namespaces {
    fn drop(&mut self) {
        // What was not yet made cannot be removed; all else goes with its namespace.
        for machine in self.machines.iter().chain(&["hub"]) {
            let _ = ip(&["netns", "delete", &self.name(machine)]);
        }
        let _ = ip(&["link", "delete", "dev", &self.id]);
    }
}

impl NetworkPlug {
    /// Pulls the plug: whatever is on the way is lost, and nobody is told.
    pub fn pull(&self) -> Result<(), Failure> {
        ip(&["-n", &self.hub, "link", "set", "dev", self.link, "down"])
    }

    pub fn put_in(&self) -> Result<(), Failure> {
        ip(&["-n", &self.hub, "link", "set", "dev", self.link, "up"])
    }
}

fn free_network() -> Result<String, Failure> {
    for _ in 0..NETWORK_TRIES {
        let prefix = format!("{NETWORKS}.{}", fastrand::u8(1..=254));
        if ip_tells(&["-4", "address", "show", "to", &format!("{prefix}.0/24")])?.is_empty() {
            return Ok(prefix);
        }
    }
    Err("no network is free".into())
}

fn ip(arguments: &[&str]) -> Result<(), Failure> {
    ip_tells(arguments).map(|_| ())
}

fn ip_tells(arguments: &[&str]) -> Result<String, Failure> {
    let mut command = Command::new("ip");
    let told = command.env("PATH", SYSTEM_PATH).args(arguments).output().map_err(|error| format!("ip: {error}"))?;
    if !told.status.success() {
        let reason = String::from_utf8_lossy(&told.stderr).trim().to_owned();
        return Err(format!("ip {}: {reason} (--loopback needs no namespaces)", arguments.join(" ")).into());
    }
    Ok(String::from_utf8(told.stdout)?.trim().to_owned())
}
