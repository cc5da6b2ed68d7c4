// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/near_name.h"
#include "tests/support/suite.h"

#include <optional>
#include <string>
#include <vector>

namespace {

using namespace binade;
using Names = std::vector<std::string>;

// Names that are suggested for a misspelt one.
class NearNames : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theNearestComesFirstAndFarOnesAreLeftOut() {
    const Names all = {"sequential", "changed", "charged", "change", "step"};
    QVERIFY(policy::nearest_names("changed", all, 5) == (Names{"changed", "charged", "change"}));
    QVERIFY(policy::nearest_names("chnged", all, 5) == (Names{"changed", "charged", "change"}));
    QVERIFY(policy::nearest_names("nothing", all, 5).empty());
    QVERIFY(policy::nearest_names("", all, 5).empty());
  }

  void noMoreThanAskedForAndOfEqualsTheFirst() {
    const Names all = {"wide21", "wide11", "wide1", "wide12", "wide13"};
    QVERIFY(policy::nearest_names("wide1", all, 1) == Names{"wide1"});
    QVERIFY(policy::nearest_names("wide15", all, 3) == (Names{"wide11", "wide1", "wide12"}));
    QVERIFY(policy::nearest_names("wide15", all, 0).empty());
    QVERIFY(policy::nearest_name("wide15", all) == std::optional<std::string>("wide11"));
    QVERIFY(policy::nearest_name("Wide13", all) == std::optional<std::string>("wide13"));
  }

  void theQuestionListsThem() {
    const Names all = {"wide11", "wide12", "wide13", "step"};
    QCOMPARE(policy::did_you_mean("wide15", all), std::string("Did you mean \"wide11\"? "));
    QCOMPARE(policy::did_you_mean("wide15", all, 2), std::string("Did you mean \"wide11\" or \"wide12\"? "));
    QCOMPARE(policy::did_you_mean("wide15", all, 9),
             std::string("Did you mean \"wide11\", \"wide12\" or \"wide13\"? "));
    QCOMPARE(policy::did_you_mean("nothing", all, 9), std::string());
  }
};

BINADE_SUITE(NearNames);

}  // namespace

#include "tst_near_name.moc"
