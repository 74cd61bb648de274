//! An address of Postgres that names several hosts, as Postgres' own programs read it. The driver knows one host, so
//! such an address is split before it.

use super::OpenError;

/// The parameter by which an address asks for the primary, and what it may say. The server needs the primary anyway.
const ATTRIBUTES: &str = "target_session_attrs";
const OF_PRIMARY: [&str; 2] = ["read-write", "primary"];
/// Parameters that would name the same host in the address of each.
const OF_ONE_HOST: [&str; 3] = ["host", "hostaddr", "port"];

/// The addresses with one host each that an address stands for, in its order. One that names one host is alone.
pub(super) fn each(url: &str) -> Result<Vec<String>, OpenError> {
    let (head, query) = url.split_once('?').unwrap_or((url, ""));
    let Some((scheme, rest)) = head.split_once("://") else { return Ok(vec![url.to_owned()]) };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let (user, hosts) = authority.split_at(authority.rfind('@').map_or(0, |at| at + 1));
    let kept = without_attributes(query)?;
    let hosts: Vec<&str> = hosts.split(',').collect();
    if hosts.len() > 1 {
        if hosts.contains(&"") {
            return Err(OpenError::Hosts("a host is missing before or after a comma"));
        }
        if kept.iter().any(|pair| OF_ONE_HOST.contains(&name_of(pair))) {
            return Err(OpenError::Hosts(
                "several hosts and their ports stand before the path: postgres://a:5432,b:5432/exam",
            ));
        }
    }
    let query = if kept.is_empty() { String::new() } else { format!("?{}", kept.join("&")) };
    Ok(hosts.into_iter().map(|host| format!("{scheme}://{user}{host}{path}{query}")).collect())
}

/// The parameters without the one by which an address asks for the primary, which the driver does not know.
fn without_attributes(query: &str) -> Result<Vec<&str>, OpenError> {
    let (asked, kept): (Vec<&str>, Vec<&str>) =
        query.split('&').filter(|pair| !pair.is_empty()).partition(|pair| name_of(pair) == ATTRIBUTES);
    let is_of_primary = |pair: &&str| pair.split_once('=').is_some_and(|(_, value)| OF_PRIMARY.contains(&value));
    if asked.iter().all(is_of_primary) {
        Ok(kept)
    } else {
        Err(OpenError::Hosts("target_session_attrs must be read-write or primary"))
    }
}

fn name_of(pair: &str) -> &str {
    pair.split('=').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_with_one_host_stays_as_it_is() {
        for url in [
            "postgres://exam:s%2Fcret@10.0.0.1:5433/exam?sslmode=require",
            "postgresql://localhost/exam",
            "postgres://localhost",
            "postgres:///exam?host=/var/run/postgresql",
            "postgres://%2Fvar%2Frun%2Fpostgresql/exam",
            "postgres://exam@[::1]:5432/exam",
            "postgres:exam",
        ] {
            assert_eq!(each(url).unwrap(), [url]);
        }
        let asked = each("postgres://db/exam?target_session_attrs=read-write").unwrap();
        assert_eq!(asked, ["postgres://db/exam"]);
    }

    #[test]
    fn each_host_has_an_address_of_its_own() {
        let url =
            "postgres://exam:a@b@db1:5433,db2,[::1]:5434/exam?sslmode=require&target_session_attrs=primary&user=x";
        assert_eq!(
            each(url).unwrap(),
            [
                "postgres://exam:a@b@db1:5433/exam?sslmode=require&user=x",
                "postgres://exam:a@b@db2/exam?sslmode=require&user=x",
                "postgres://exam:a@b@[::1]:5434/exam?sslmode=require&user=x",
            ]
        );
        assert_eq!(each("postgres://a,b").unwrap(), ["postgres://a", "postgres://b"]);
        assert_eq!(each("postgres://a,b?target_session_attrs=read-write").unwrap(), ["postgres://a", "postgres://b"]);
        // A comma elsewhere separates no hosts.
        let password = "postgres://exam:a,b@db/exam,1?application_name=x,y";
        assert_eq!(each(password).unwrap(), [password]);
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for url in [
            "postgres://a,/exam",
            "postgres://user@,b/exam",
            "postgres://a,,b/exam",
            "postgres://a,b/exam?port=5433",
            "postgres://a,b/exam?hostaddr=10.0.0.1",
            "postgres://a,b/exam?target_session_attrs=any",
            "postgres://a/exam?target_session_attrs=standby",
            "postgres://a/exam?target_session_attrs",
            "postgres://a/exam?target_session_attrs=read-write&target_session_attrs=any",
        ] {
            assert!(matches!(each(url), Err(OpenError::Hosts(_))), "{url}");
        }
    }
}
