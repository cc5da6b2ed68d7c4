// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/resolve.h"
#include "engine/policy/site_match.h"
#include "engine/policy/sites_by_path.h"
#include "tests/support/suite.h"

#include <algorithm>
#include <optional>

using namespace binade;
using policy::SiteKey;

Q_DECLARE_METATYPE(binade::policy::SiteKey)

// What a site is called, and which rules find it.
class SiteMatch : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void namesOfSites_data();
  void namesOfSites();
  void rulesFindSites_data();
  void rulesFindSites();
  void everySiteIsFoundByItsOwnName();
  void aLongPatternOfWildcardsEnds();
  void manyRulesFindWhatEachFindsAlone();
};

void SiteMatch::namesOfSites_data() {
  QTest::addColumn<SiteKey>("site");
  QTest::addColumn<QString>("name");
  QTest::newRow("module") << SiteKey{"layer1.0", "", "aten::relu_", "", 1} << "layer1.0/aten::relu_#1";
  QTest::newRow("method") << SiteKey{"layer1.0.conv1", "_conv_forward", "aten::conv2d", "", 0}
                          << "layer1.0.conv1::_conv_forward/aten::conv2d#0";
  QTest::newRow("root") << SiteKey{"", "", "aten::mul", "Tensor", 12} << "aten::mul#12";
  QTest::newRow("method of the root") << SiteKey{"", "encode", "aten::mm", "", 0} << "::encode/aten::mm#0";
}

void SiteMatch::namesOfSites() {
  QFETCH(SiteKey, site);
  QFETCH(QString, name);
  QCOMPARE(QString::fromStdString(site.name()), name);
  site.overload.clear();  // no part of the name
  QVERIFY(policy::site_key(name.toStdString()) == site);
}

void SiteMatch::rulesFindSites_data() {
  QTest::addColumn<QString>("match");
  QTest::addColumn<SiteKey>("site");
  QTest::addColumn<bool>("found");
  const SiteKey conv{"layer1.0.conv1", "_conv_forward", "aten::conv2d", "", 0};
  const SiteKey linear{"fc", "", "aten::linear", "", 3};
  const SiteKey root{"", "", "aten::mul", "Tensor", 1};
  const auto row = [](const char* match, const SiteKey& site, bool found) {
    QTest::addRow("%s on %s", match, site.name().c_str()) << QString(match) << site << found;
  };
  // the name itself
  row("layer1.0.conv1::_conv_forward/aten::conv2d#0", conv, true);
  row("layer1.0.conv1/aten::conv2d#0", conv, false);  // the method is part of the name
  row("layer1.0.conv1::_conv_forward/aten::conv2d#1", conv, false);
  row("fc/aten::linear#3", linear, true);
  row("fc/aten::linear#33", linear, false);
  row("FC/aten::linear#3", linear, false);
  row("c/aten::linear#3", linear, false);
  // wildcards
  row("*", conv, true);
  row("*", root, true);
  row("**", linear, true);
  row("layer1.*/aten::conv2d#*", conv, true);
  row("layer1.*::_conv_forward/aten::conv2d#0", conv, true);
  row("layer*/aten::*#0", conv, true);
  row("*/aten::linear#*", linear, true);
  row("*/aten::linear#*", conv, false);
  row("fc/*", linear, true);
  row("fc/aten::lin*", linear, true);
  row("fc*#3", linear, true);
  row("fc/aten::linear#?", linear, false);  // no other wildcard
  row("fc/aten::linear#[3]", linear, false);
  row("*1.0*conv*", conv, true);
  row("*conv2", conv, false);
  // a bare path is its whole subtree, and nothing that only begins alike
  row("layer1.0.conv1", conv, true);
  row("layer1.0", conv, true);
  row("layer1", conv, true);
  row("layer", conv, false);
  row("layer1.0.conv", conv, false);
  row("layer1.0.conv1.weight", conv, false);
  row("layer*", conv, true);
  row("*.conv1", conv, true);
  row("conv1", conv, false);
  row("fc", linear, true);
  row("fc", root, false);
  row("layer1.", conv, false);
  // a path with its method: what that method calls itself
  row("layer1.0.conv1::_conv_forward", conv, true);
  row("layer1.0.conv1::forward", conv, false);
  row("*::_conv_forward", conv, true);
  row("layer1::_conv_forward", conv, false);
  row("fc::*", linear, false);  // forward has no method name
  // the root's own sites
  row("aten::mul#1", root, true);
  row("/aten::mul#1", root, true);
  row("*/aten::mul#*", root, true);
  row("aten::mul#*", root, true);
  row("aten::mul#1", linear, false);
}

void SiteMatch::rulesFindSites() {
  QFETCH(QString, match);
  QFETCH(SiteKey, site);
  QFETCH(bool, found);
  QCOMPARE(policy::matches(match.toStdString(), site), found);
}

void SiteMatch::everySiteIsFoundByItsOwnName() {
  for (const char* path : {"", "a", "a.b", "layer1.0.conv1"}) {
    for (const char* method : {"", "_conv_forward", "helper"}) {
      for (const char* op : {"aten::mm", "aten::add_", "aten::__and__"}) {
        for (const int ordinal : {0, 1, 10}) {
          const SiteKey site{path, method, op, "", ordinal};
          QVERIFY2(policy::matches(site.name(), site), site.name().c_str());
          SiteKey other = site;
          other.ordinal = ordinal + 11;
          QVERIFY(!policy::matches(site.name(), other));
        }
      }
    }
  }
}

void SiteMatch::aLongPatternOfWildcardsEnds() {
  // Exponential in a matcher that backtracks over every wildcard.
  std::string pattern;
  for (int i = 0; i < 60; ++i) pattern += "a*";
  const SiteKey site{std::string(2000, 'a'), "", "aten::mm", "", 0};
  QVERIFY(!policy::matches(pattern + "/b", site));
  QVERIFY(policy::matches(pattern + "/aten::mm#0", site));
}

void SiteMatch::manyRulesFindWhatEachFindsAlone() {
  std::vector<SiteKey> sites;
  for (const char* path : {"a", "", "a.b", "ab", "a.b.c", "a-b", "a.b", "b::c", "b"}) {
    for (const char* method : {"", "c", "helper"}) {
      for (const int ordinal : {0, 10}) sites.push_back({path, method, "aten::mm", "", ordinal});
    }
  }
  std::vector<std::string> matches{"a",         "a.b",    "a.b.c",       "a.",      "b",        "b::c",
                                   "b::helper", "::c",    "a::c",        "nothing", "a*",       "*",
                                   "",          "a.b::*", "/aten::mm#0", "a/",      "aten::mm", "#0"};
  for (const SiteKey& site : sites) matches.push_back(site.name());
  policy::Policy policy;
  const policy::SitesByPath by_path(sites);
  std::vector<int> last(sites.size(), policy::kFromBase);
  for (std::size_t rule = 0; rule < matches.size(); ++rule) {
    policy.sites.emplace_back().match = matches[rule];
    policy.sites.back().format = formats::kFloat32;
    const std::optional<std::vector<int>> candidates = by_path.candidates(matches[rule]);
    for (int site = 0; site < static_cast<int>(sites.size()); ++site) {
      if (!policy::matches(matches[rule], sites[static_cast<std::size_t>(site)])) continue;
      last[static_cast<std::size_t>(site)] = static_cast<int>(rule);
      QVERIFY2(!candidates || std::binary_search(candidates->begin(), candidates->end(), site), matches[rule].c_str());
    }
  }
  const policy::Resolved table = policy::resolve(policy, sites, policy::Capabilities{});
  for (std::size_t i = 0; i < sites.size(); ++i) QCOMPARE(table.sites[i].rule, last[i]);
  QCOMPARE(by_path.candidates("b::c/aten::mm#10")->size(), std::size_t{12});  // a module, or a method of another one
}

BINADE_SUITE(SiteMatch);
#include "tst_site_match.moc"
