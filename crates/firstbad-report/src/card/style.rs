//! The CSS of cards. Each rule needs a class, because it applies to the whole notebook.

/// The rules of every card.
const BASE: &str = r##".fbad{box-sizing:border-box;container-type:inline-size;max-width:1080px;margin:8px 0;padding:18px 22px;border:1px solid #80808052;border-radius:8px;color:inherit;background:none;font:13px/1.5 var(--jp-content-font-family,var(--vscode-font-family,system-ui,-apple-system,"Segoe UI",sans-serif));text-align:left}
.fbad.fbad.fbad code,.fbad.fbad.fbad pre{font:12px/1.6 ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;background:none;color:inherit;padding:0;border:0;white-space:nowrap}
.fbad .fb-m{opacity:.72}
.fbad i{font-style:normal}
.fbad .fb-p{color:#2b83c6}
.fbad .fb-f{color:#d2571a}
.fbad .fb-u{color:#8d73b8}
.fbad p{margin:0}
.fbad p>b,.fbad dt>b{font-weight:inherit}
.fbad p.fb-h{font-size:17px;line-height:1.35;font-weight:600;margin:1px 0 2px;text-wrap:balance;overflow-wrap:anywhere}
.fbad.fbad.fbad .fb-h code{font-size:16px;font-weight:600}
.fbad p.fb-s{font-size:11px;font-weight:600;letter-spacing:.02em;margin:18px 0 5px;opacity:.72}"##;

/// Lists of facts.
const FACTS: &str = r##".fbad.fbad.fbad dd code{white-space:normal}
.fbad dl.fb-d{display:grid;grid-template-columns:repeat(auto-fit,minmax(210px,1fr));gap:10px 26px;margin:14px 0 0;padding:12px 0 0;border-top:1px solid #80808040}
.fbad .fb-d :is(dt,dd){margin:0;float:none;width:auto;overflow-wrap:anywhere}
.fbad .fb-d dt{font-size:11px;font-weight:600;opacity:.72}"##;

/// Tables.
const TABLE: &str = r##".fbad.fbad table{border-collapse:collapse;width:100%;margin:0;border:0;font-size:13px;table-layout:auto;color:inherit}
.fbad.fbad thead,.fbad.fbad tbody tr:nth-child(n){background:none;border:0}
.fbad.fbad :is(td,th){padding:3px 14px 3px 0;text-align:left;vertical-align:baseline;border:0;border-top:1px solid #80808030;font-weight:400;white-space:nowrap;max-width:none}
.fbad.fbad thead th{border:0;font-size:11px;font-weight:600;opacity:.72}
.fbad.fbad :is(td,th).fb-n{text-align:right;font-variant-numeric:tabular-nums}
.fbad.fbad td.fb-w{white-space:normal;width:99%;overflow-wrap:anywhere}
.fbad.fbad :is(td,th):last-child{padding-right:0}
.fbad.fbad tr.fb-b>*{font-weight:600}
@container(max-width:560px){.fbad.fbad .fb-q{display:none}.fbad.fbad :is(td,th){padding-right:9px}}"##;

/// Scrollable pictures.
const GRAPH: &str = r##".fbad .fb-x{overflow-x:auto;overflow-y:hidden;margin:2px 0 0;scrollbar-width:thin;animation:fb-e linear;animation-timeline:scroll(self inline)}
@keyframes fb-e{0%{mask-image:linear-gradient(90deg,#000 92%,#0003)}6%,94%{mask-image:linear-gradient(90deg,#0003,#000 8%,#000 92%,#0003)}to{mask-image:linear-gradient(90deg,#0003,#000 8%)}}
.fbad .fb-x:focus-visible{outline:2px solid #2b83c6;outline-offset:2px}
.fbad .fb-xi{position:relative}
.fbad .fb-aim{position:absolute;top:0;width:1px;height:1px;margin-left:-46cqi}
.fbad .fb-far{scroll-initial-target:nearest}
@container(max-width:700px){.fbad .fb-aim{scroll-initial-target:nearest}}
.fbad .fb-xi svg.fb-g{display:block;width:100%;max-width:none;height:auto}
@media print{.fbad .fb-x{overflow:visible;animation:none}.fbad .fb-x .fb-xi{min-width:0!important}.fbad{break-inside:avoid}}"##;

/// Legends of pictures.
const LEGEND: &str = r##".fbad p.fb-l{display:flex;flex-wrap:wrap;gap:1px 16px;font-size:11.5px;margin-top:6px}
.fbad .fb-l span{white-space:nowrap}"##;

/// Bars in a table.
const BARS: &str = r##".fbad.fbad td.fb-bar{width:60%;min-width:150px;padding-right:10px}
@container(max-width:560px){.fbad.fbad td.fb-bar{min-width:64px}.fbad .fb-v thead{display:none}.fbad.fbad .fb-v tr{display:grid;grid-template-columns:1fr auto;padding:6px 0}.fbad.fbad .fb-v td{border:0;padding:0;width:auto}.fbad .fb-v td:nth-child(2){grid-area:2/1/3/3}.fbad .fb-v td:nth-child(3){grid-area:3/1/4/3;margin-top:4px}.fbad .fb-v td:nth-child(4){grid-area:1/2}}
.fbad .fb-bar svg{display:block;width:100%;max-width:none;height:10px;overflow:visible}"##;

/// Columns in wide cards.
const COLUMNS: &str = r##".fbad .fb-cols{display:flex;flex-wrap:wrap;gap:0 36px}
.fbad .fb-cols>*{flex:1 1 380px;min-width:0}
.fbad .fb-cols>.fb-fix{flex:0 1 344px}
@container(max-width:560px){.fbad .fb-cols>*{flex-basis:100%}}"##;

/// Tables of verifications.
const CHECKS: &str = r##".fbad.fbad table.fb-y{width:auto}
.fbad.fbad .fb-y :is(td,th){padding-right:22px}
@container(max-width:560px){.fbad.fbad .fb-y :is(td,th){padding-right:10px}}"##;

/// Lines of code.
const CODE: &str = r##".fbad.fbad.fbad pre.fb-c{margin:4px 0 0;padding:6px 0;border-top:1px solid #80808040;overflow-x:auto;white-space:pre;tab-size:4}
.fbad .fb-c span{display:block;width:max-content;min-width:100%;padding:0 8px 0 6px;border-left:3px solid transparent;box-sizing:border-box}
.fbad .fb-c .fb-z{opacity:.72}
.fbad .fb-c .fb-a{border-color:#12899f;background:#12899f2e}
.fbad .fb-c .fb-r{border-color:#a87414;background:#a874142e}
.fbad .fb-c .fb-k{border-color:#d2571a;background:#d2571a1c}
.fbad .fb-c .fb-i{font-weight:700;padding-top:7px}
.fbad .fb-c .fb-e{opacity:.72;font-style:italic}"##;

/// Folded sections.
const DETAILS: &str = r##".fbad details{margin:8px 0 0;padding:0;border:0;background:none}
.fbad summary{cursor:pointer;padding:1px 0;font-size:12px}
.fbad summary:focus-visible{outline:2px solid #2b83c6;outline-offset:2px}"##;

/// Rankings.
const SUSPECTS: &str = r##".fbad ol.fb-k{list-style:none;margin:12px 0 0;padding:0}
.fbad .fb-k li{margin:0;border-top:1px solid #80808030}
.fbad .fb-k details{margin:0}
.fbad .fb-k summary{display:grid;grid-template-columns:12px 20px 66px 1fr minmax(70px,26%) 38px;gap:10px;align-items:center;padding:5px 0;font-size:13px;list-style:none}
.fbad .fb-k summary::-webkit-details-marker{display:none}
.fbad .fb-k summary::before{content:"▸";opacity:.72}
.fbad .fb-k [open]>summary::before{content:"▾"}
.fbad .fb-k svg{display:block;width:100%;max-width:none;height:10px}
.fbad .fb-k b{text-align:right;font-variant-numeric:tabular-nums}
.fbad .fb-k ul{list-style:none;margin:0 0 8px;padding:0 0 0 52px;font-size:12px}
.fbad .fb-k ul li{border:0;padding:1px 0;margin:0;overflow-wrap:anywhere}
@container(max-width:560px){.fbad .fb-k summary{grid-template-columns:12px 14px 66px 1fr 38px;gap:2px 8px}.fbad .fb-k summary>:nth-child(3){grid-area:2/3/3/6}.fbad .fb-k ul{padding-left:42px}}"##;

/// Tables of causes.
const CAUSES: &str = r##"@container(max-width:560px){.fbad .fb-t thead{display:none}.fbad.fbad .fb-t tr{display:grid;grid-template-columns:auto 1fr;padding:6px 0}.fbad.fbad .fb-t td.fb-w,.fbad.fbad .fb-t td{border:0;padding:0 10px 0 0;width:auto}.fbad .fb-t td:nth-child(n+3){grid-column:1/3}.fbad .fb-t td:nth-child(4)::before{content:'Breaks '}}"##;

/// The culprits of a triage.
const TRIAGE: &str = r##".fbad ul.fb-ul{list-style:none;margin:2px 0 4px;padding:0;font-size:12px}
.fbad .fb-ul li{margin:0;padding:1px 0;overflow-wrap:anywhere}
.fbad.fbad.fbad :is(.fb-ul,.fb-to) code{white-space:normal;overflow-wrap:anywhere}
.fbad .fb-tr details{margin:0}
@container(max-width:560px){.fbad .fb-tr thead{display:none}.fbad.fbad .fb-tr tr{display:grid;grid-template-columns:1fr auto auto;padding:6px 0}.fbad.fbad .fb-tr td.fb-w,.fbad.fbad .fb-tr td{border:0;padding:0 10px 0 0;width:auto}.fbad .fb-tr td:nth-child(2){grid-area:2/1/3/4}.fbad.fbad .fb-tr tr+tr{border-top:1px solid #80808030}}"##;

/// The tests with other verdicts.
const OTHERS: &str = r##".fbad.fbad .fb-to td.fb-w{width:auto}
@container(max-width:560px){.fbad .fb-to thead{display:none}.fbad.fbad .fb-to tr{display:grid;grid-template-columns:1fr;padding:5px 0;border-top:1px solid #80808030}.fbad.fbad .fb-to td{border:0;padding:0}.fbad .fb-to td:first-child{font-size:11px;font-weight:600;opacity:.72}.fbad .fb-to td:last-child{opacity:.72}}"##;

/// The caption of a lane.
const LANE: &str = r##".fbad p.fb-ln{margin:10px 0 0;overflow-wrap:anywhere}
.fbad .fb-ln b{font-weight:600}"##;

/// The matrix of tests by revisions. Where it is narrow, the name of a test is above its results, and stays while they scroll.
const MATRIX: &str = r##".fbad.fbad table.fb-mx{width:auto;margin-top:6px;font-size:11.5px;font-variant-numeric:tabular-nums}
.fbad.fbad .fb-mx :is(td,th){padding:1px 2px;text-align:center;vertical-align:middle;line-height:1.25;min-width:19px;box-sizing:border-box}
.fbad.fbad .fb-mx tbody th{text-align:left;padding-right:10px;font-size:11.5px;opacity:1}
.fbad.fbad .fb-mx thead th{vertical-align:bottom;opacity:.72}
.fbad .fb-mx thead span{writing-mode:vertical-rl;transform:rotate(180deg);display:inline-block;white-space:nowrap}
.fbad.fbad.fbad .fb-mx code{font-size:10.5px}
.fbad.fbad .fb-mx .fb-k{background:#d2571a1c}
.fbad.fbad .fb-mx thead th.fb-k{opacity:1}
.fbad.fbad .fb-mx .fb-gr th{padding-top:9px;font-weight:600;border-top-color:#80808052}
.fbad.fbad .fb-mx .fb-gr~tr:not(.fb-gr)>*{border-top-color:#8080801c}
@container(max-width:560px){.fbad.fbad .fb-mx tr{display:grid;grid-template-columns:repeat(var(--n),var(--w));justify-items:stretch}.fbad.fbad .fb-mx td,.fbad.fbad .fb-mx thead th{border:0;padding:1px}.fbad .fb-mx thead th:first-child{display:none}.fbad.fbad .fb-mx tbody th{grid-column:1/-1;position:sticky;left:0;justify-self:start;max-width:88cqi;overflow:hidden;text-overflow:ellipsis;border:0;padding-top:4px}}"##;

/// Returns the rules that the body needs.
pub(super) fn style(body: &str) -> String {
    let by_content = [
        ("class=\"fb-d\"", FACTS),
        ("<table", TABLE),
        ("class=\"fb-x\"", GRAPH),
        ("class=\"fb-l\"", LEGEND),
        ("class=\"fb-bar\"", BARS),
        ("class=\"fb-cols\"", COLUMNS),
        ("class=\"fb-y\"", CHECKS),
        ("class=\"fb-c\"", CODE),
        ("<details", DETAILS),
        ("<ol class=\"fb-k\"", SUSPECTS),
        ("class=\"fb-t\"", CAUSES),
        ("class=\"fb-tr\"", TRIAGE),
        ("class=\"fb-to\"", OTHERS),
        ("class=\"fb-ln\"", LANE),
        ("class=\"fb-mx\"", MATRIX),
    ];
    let mut style = BASE.to_owned();
    for (sign, rules) in by_content {
        if body.contains(sign) {
            style.push('\n');
            style.push_str(rules);
        }
    }
    style
}
