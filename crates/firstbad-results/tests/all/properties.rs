//! Properties that are added to JUnit XML.

use firstbad_results::{Reader, read};
use proptest::prelude::*;

/// Adds the id of each test to its case.
fn added(report: &[u8]) -> String {
    Reader::new().with_properties(report, &|id| vec![("id", id.to_owned())]).unwrap()
}

#[test]
fn properties_are_added_to_cases_and_the_rest_stays() {
    let xml = concat!(
        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<!-- <testcase/> -->\n<testsuites><testsuite name=\"s\">\n",
        "  <properties><property name=\"suite\" value=\"1\"/></properties>\n",
        "  <testcase classname=\"c\" name=\"empty\" />\n",
        "  <testcase classname=\"c\" name=\"&lt;&quot;\"><failure>a & b <![CDATA[</testcase>]]></failure></testcase>\n",
        "  <testcase classname=\"c\" name=\"has\"><system-out/><properties>\n<property name=\"x\" value=\"y\"/></properties></testcase>\n",
        "  <testcase classname=\"c\" name=\"none\"><properties/></testcase>\n",
        "  <x:testcase classname=\"c\" name=\"outer\"><testcase classname=\"c\" name=\"inner\"/></x:testcase>\n",
        "</testsuite></testsuites>\n"
    );
    let property = |id: &str| format!("<property name=\"id\" value=\"{id}\"/>");
    let all = |id: &str| format!("<properties>{}</properties>", property(id));
    let expected = xml
        .replace("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
        .replace("name=\"empty\" />", &format!("name=\"empty\" >{}</testcase>", all("c::empty")))
        .replace("&quot;\">", &format!("&quot;\">{}", all("c::&lt;&quot;")))
        .replace("<properties>\n", &format!("<properties>{}\n", property("c::has")))
        .replace("<properties/>", &all("c::none"))
        .replace("\"outer\">", &format!("\"outer\">{}", all("c::outer").replace("<p", "<x:p").replace("</p", "</x:p")))
        .replace("\"inner\"/>", &format!("\"inner\">{}</testcase>", all("c::inner")));
    assert_eq!(added(xml.as_bytes()), expected);
    assert_eq!(
        Reader::new().with_properties(xml.as_bytes(), &|_| Vec::new()).unwrap(),
        xml.replace("ISO-8859-1", "UTF-8")
    );
}

#[test]
fn a_cut_report_and_another_encoding_are_read() {
    let cut = added(b"<testsuite><testcase name=\"a\"/><testcase name=\"b\"><failure>");
    assert!(
        cut.starts_with("<testsuite><testcase name=\"a\"><properties>") && cut.ends_with("\"b\"><failure>"),
        "{cut}"
    );
    let xml = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><testsuite><testcase name=\"é\"/></testsuite>";
    let units: Vec<u8> = xml.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let utf8 = added(&[&[0xff, 0xfe][..], &units].concat());
    assert!(utf8.contains("encoding=\"UTF-8\"") && utf8.contains("value=\"é\""), "{utf8}");
    let error = Reader::new().with_properties(b"1..1\nok 1 - a\n", &|_| Vec::new()).unwrap_err();
    assert_eq!(error.code(), "report_syntax");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]
    #[test]
    fn reports_keep_their_results(names in prop::collection::vec("[ -~éx\u{1}\n]{0,12}", 1..6), value in any::<String>()) {
        let escaped = |name: &String| quick_xml::escape::escape(name.as_str()).into_owned();
        let cases: String = names.iter().map(|name| format!("<testcase classname=\"c\" name=\"{}\"/>", escaped(name))).collect();
        let xml = format!("<testsuite name=\"s\">{cases}</testsuite>");
        let report = Reader::new().with_properties(xml.as_bytes(), &|_| vec![("v", value.clone())]).unwrap();
        prop_assert_eq!(read(report.as_bytes()).unwrap(), read(xml.as_bytes()).unwrap());
        prop_assert_eq!(report.matches("<property ").count(), names.len());
    }
}
