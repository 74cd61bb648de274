//! Tests of roles, grades and addresses.

use super::*;

#[test]
fn addresses_have_one_form() {
    assert_eq!(normal_email(" Ada@Example.ORG "), Some("ada@example.org".to_owned()));
    for text in ["", "ada", "@example.org", "ada@", "a b@example.org", "a\0@example.org", "\u{212A}ate@example.org"] {
        assert_eq!(normal_email(text), None, "{text:?}");
    }
}

#[test]
fn a_typed_address_is_the_one_that_it_looks_like() {
    for text in ["ada@example.org", "Ａｄａ＠example.org", "a\u{200B}da@example.org\u{A0}", "ada@exam\u{AD}ple.org"]
    {
        assert_eq!(typed_email(text).as_deref(), Some("ada@example.org"), "{text:?}");
    }
    assert_eq!(typed_email("jose\u{301}@example.es"), typed_email("josé@example.es"));
    assert_eq!(typed_email("o‑k@example.org").as_deref(), Some("o-k@example.org"));
    for text in ["a b@example.org", "\u{212A}ate@example.org", "\u{200B}@example.org"] {
        assert_eq!(typed_email(text), None, "{text:?}");
    }
}

#[test]
fn an_address_that_looks_like_another_is_given_no_role() {
    for email in [
        "ada@example.org",
        "nguyễn@trường.vn",
        "josé.garcía@example.es",
        "иван@пример.рф",
        "王小明@例子.cn",
        "田中@例え.jp",
    ] {
        assert_eq!(staff_email(email).as_deref(), Some(email));
    }
    for email in [
        "\u{430}da@example.org",
        "ada@ex\u{430}mple.org",
        "\u{441}\u{43e}\u{440}@example.org",
        "ad\u{251}@example.org",
        "ivан@example.org",
    ] {
        assert_eq!(staff_email(email), None, "{email}");
        assert!(new_email(email).is_some(), "{email}");
    }
    for email in [
        "a\u{200B}da@example.org",
        "ada\u{FEFF}@example.org",
        "ada@exa\u{AD}mple.org",
        "ada\u{202E}@example.org",
        "\u{3164}@example.org",
    ] {
        assert_eq!(new_email(email), None, "{email:?}");
    }
    assert_eq!(new_email("jose\u{301}@example.es"), None);
}

#[test]
fn a_picture_is_an_address_of_one() {
    for text in ["https://example.org/a.png", "/media/a", "data:image/png;base64,iVBORw0KGgo=", "DATA:image/gif,x"] {
        assert!(is_picture(text), "{text}");
    }
    let long = format!("data:image/png,{}", "x".repeat(PICTURE_BYTES_MAX));
    for text in [
        "",
        "http://example.org/a",
        "/api/admin/sittings/1/slips.pdf?renew=true",
        "javascript:alert(1)",
        "data:text/html,<b>",
        "data:image/png",
        "data:image/png,a b",
        "file:///a.png",
        "//example.org/a",
        &long,
    ] {
        assert!(!is_picture(text), "{text}");
    }
}

#[test]
fn a_set_of_grades_is_an_array_in_order() {
    let grades: Grades = [7, 1, 10, 7].into_iter().filter_map(Grade::new).collect();
    assert_eq!(serde_json::to_string(&grades).unwrap(), "[1,7,10]");
    assert_eq!(serde_json::from_str::<Grades>("[10,1,7]").unwrap(), grades);
    assert!(serde_json::from_str::<Grades>("[0]").is_err() && serde_json::from_str::<Grades>("[11]").is_err());
    assert_eq!(Grades::ALL.iter().count(), 10);
    assert!(Grades::NONE.is_empty());
}

#[test]
fn a_role_decides_which_assignments_count() {
    let grade = |number| Grade::new(number).unwrap();
    let of = |role| Identity {
        email: "a@exam.test".into(),
        name: "A".into(),
        image: String::new(),
        role,
        reviewer_of: [grade(1)].into_iter().collect(),
        manager_of: [grade(2)].into_iter().collect(),
        deployment: None,
    };
    let can = |role| {
        (
            of(role).reviews().iter().map(Grade::number).collect::<Vec<_>>(),
            of(role).signs_off().iter().map(Grade::number).collect::<Vec<_>>(),
        )
    };
    assert_eq!(can(Role::Student), (vec![], vec![]));
    assert_eq!(can(Role::Reviewer), (vec![1], vec![]));
    assert_eq!(can(Role::Manager), (vec![1, 2], vec![2]));
    assert_eq!(of(Role::Admin).reviews(), Grades::ALL);
}

#[test]
fn staff_of_a_deployment_see_its_courses_alone() {
    let (here, there) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let of = |deployment| Identity {
        email: "a@exam.test".into(),
        name: "A".into(),
        image: String::new(),
        role: Role::Manager,
        reviewer_of: Grades::NONE,
        manager_of: Grades::ALL,
        deployment,
    };
    let own = of(Some(DeploymentKey { platform_id: here, deployment_id: "1".into() }));
    assert!(own.sees_courses_of(here, "1"));
    assert!(!own.sees_courses_of(here, "2") && !own.sees_courses_of(there, "1"));
    assert!(of(None).sees_courses_of(here, "1") && of(None).sees_courses_of(there, "2"));
}

#[test]
fn roles_have_names() {
    for role in Role::ALL {
        assert_eq!(Role::parse(role.name()), Some(role));
    }
    assert_eq!(Role::parse("Admin"), None);
}
