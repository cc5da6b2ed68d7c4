// SPDX-License-Identifier: Apache-2.0
#include "engine/report/style.h"

namespace binade::report {

namespace {

// The colours are the window's (views/values/colors.cpp). The heat map's ten are interpolated between its five stops.
constexpr const char* kLightColors = R"css(
--window:#eceef1;--panel:#fff;--other:#f7f8fa;--line:#cfd4db;--soft:#e7eaee;--grid:#edf0f3;--text:#1a1e24;
--second:#525c68;--third:#656f7b;--data:#1f242b;--band:#ccd7df;--indigo:#5457cd;--crimson:#b5123e;--badground:#fcebef;
--good:#1f7a44;--goodground:#e3f3ea;--h0:#f3f6f9;--h1:#dbe4ec;--h2:#c4d2df;--h3:#a8bccf;--h4:#8ca4bd;--h5:#7490aa;
--h6:#5a7795;--h7:#3d597a;--h8:#2b4464;--h9:#1b2f4a;
)css";
constexpr const char* kDarkColors = R"css(
--window:#101317;--panel:#191d23;--other:#1d2229;--line:#343b45;--soft:#2a3038;--grid:#242a32;--text:#e8ebef;
--second:#aeb7c2;--third:#8792a0;--data:#e8ebef;--band:#34434f;--indigo:#9a9cf5;--crimson:#ff6d8b;--badground:#3a1c26;
--good:#4cc07c;--goodground:#1b3325;--h0:#1d2630;--h1:#213042;--h2:#2a3e54;--h3:#355068;--h4:#416282;--h5:#53779a;
--h6:#6b92b6;--h7:#86afd4;--h8:#b1cde6;--h9:#dcebf8;
)css";

constexpr const char* kRules = R"css(
*{box-sizing:border-box}
html{scroll-behavior:smooth}
body{margin:0;background:var(--window);color:var(--text);line-height:1.5;
font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Helvetica Neue",Arial,sans-serif;font-size:15px}
main{max-width:1080px;margin:0 auto;padding:28px 20px 60px}
section,header,nav{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:20px 24px;
margin-bottom:16px}
h1{font-size:26px;line-height:1.25;margin:0 0 4px;overflow-wrap:anywhere}
h2{font-size:20px;margin:0 0 10px}
h3{font-size:16px;margin:22px 0 6px}
h1,h2,h3{font-weight:600}
h2 a,h3 a{color:inherit;text-decoration:none}
h2 a:hover,h3 a:hover{text-decoration:underline}
a{color:var(--indigo)}
p{margin:6px 0;max-width:80ch;overflow-wrap:anywhere}
.note{color:var(--second)}
.wide{overflow-x:auto;margin:8px 0 14px}
table{border-collapse:collapse;width:100%;font-size:14px}
th,td{text-align:left;vertical-align:top;padding:5px 14px 5px 0;border-bottom:1px solid var(--soft)}
td{max-width:60ch;overflow-wrap:break-word}
thead th{color:var(--second);font-weight:600;border-bottom-color:var(--line);white-space:nowrap}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.facts th{color:var(--second);font-weight:400;width:220px;white-space:nowrap}
.facts td{font-variant-numeric:tabular-nums;max-width:none}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:13px}
code{overflow-wrap:anywhere}
pre{background:var(--other);border:1px solid var(--soft);border-radius:6px;padding:12px 14px;overflow-x:auto;
margin:8px 0}
.badge{display:inline-block;border-radius:10px;padding:0 9px;font-size:13px;background:var(--soft);color:var(--second);
white-space:nowrap}
.badge.bad{background:var(--badground);color:var(--crimson)}
.badge.good{background:var(--goodground);color:var(--good)}
.alert{border-left:4px solid var(--crimson);background:var(--badground);padding:8px 14px;border-radius:4px;
margin:12px 0}
.tiles{display:flex;flex-wrap:wrap;gap:10px;list-style:none;padding:0;margin:16px 0 0}
.tiles li{flex:1 1 140px;border:1px solid var(--soft);border-radius:6px;padding:8px 12px;background:var(--other)}
.tiles span{display:block;color:var(--second);font-size:13px}
.tiles b{font-size:20px;font-weight:600;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.tiles .bad b{color:var(--crimson)}
nav{padding:10px 24px}
nav ol{columns:3;margin:0;padding-left:20px}
article{border-top:1px solid var(--soft);padding:12px 0 4px}
article h3{margin:0 0 4px}
figure{margin:0 0 18px}
figcaption{color:var(--second);font-size:14px;max-width:100ch}
svg{display:block;width:100%;height:auto;overflow:visible}
svg text{font-family:inherit;font-size:12px;fill:var(--second);font-variant-numeric:tabular-nums}
.end{text-anchor:end}.mid{text-anchor:middle}.start{text-anchor:start}
.grid{stroke:var(--grid);stroke-width:1}
.line{fill:none;stroke:var(--data);stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}
.band{fill:var(--band);stroke:var(--band);stroke-width:1;stroke-linejoin:round}
.line.s2{stroke:var(--indigo)}
.band.s2{fill:var(--indigo);fill-opacity:.2;stroke:var(--indigo);stroke-opacity:.2}
path.bad,rect.bad{fill:var(--crimson)}
.mark{stroke:var(--crimson);stroke-width:1.2;fill:none}
.edit{stroke:var(--indigo);stroke-width:1.2;stroke-dasharray:4 3}
.key{white-space:nowrap;margin-left:10px}
.key::before{content:"";display:inline-block;width:14px;height:3px;margin:0 6px 3px 0;background:var(--data)}
.key.s2::before,.key.edit::before{background:var(--indigo)}
.key.mark::before{background:var(--crimson)}
.key.mark,.key.edit{stroke:none}
.h0{fill:var(--h0)}.h1{fill:var(--h1)}.h2{fill:var(--h2)}.h3{fill:var(--h3)}.h4{fill:var(--h4)}.h5{fill:var(--h5)}
.h6{fill:var(--h6)}.h7{fill:var(--h7)}.h8{fill:var(--h8)}.h9{fill:var(--h9)}
@media(max-width:700px){main{padding:10px}section,header,nav{padding:14px}nav ol{columns:1}.facts th{width:auto}}
@media print{body{background:none;font-size:11pt}main{max-width:none;padding:0}
section,header,nav{border:0;padding:0;margin-bottom:18px}figure,tr,article,.tiles li{break-inside:avoid}
h2,h3{break-after:avoid}.wide{overflow:visible}pre{white-space:pre-wrap;overflow-wrap:anywhere}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
)css";

}  // namespace

std::string style_sheet() {
  // Paper is white, so only screens become dark.
  return std::string(":root{") + kLightColors + "}\n@media screen and (prefers-color-scheme:dark){:root{" +
         kDarkColors + "}}" + kRules;
}

}  // namespace binade::report
