// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/policy_page.h"
#include "tests/support/suite.h"
#include "tests/targets/assigned.h"

using namespace binade;
using policy::Base;
using policy::Policy;
using targets::Assignment;
using targets::PolicyPage;

namespace {

/// A policy whose texts try to become markup.
Assignment withMarkup() {
  Policy policy = test::startingFrom(Base::kCudaAmp, formats::kBFloat16);
  policy.name = "<script>alert('1')</script> | `x` **y** & \x1b[31m";
  policy.ops["aten::layer_norm"] = formats::kBFloat16;
  policy.sites.resize(2);
  policy.sites[0].match = "fc";
  policy.sites[0].why = "was | too small\n| it <b>overflowed</b> |";
  policy.sites[1].match = "nothing.here";
  Assignment assignment = test::assigned(policy);
  assignment.sources[7] = "a|b`<i>.py:3";
  assignment.scaler = wire::ScalerConfig{};
  return assignment;
}

QByteArray pageText(const char* target, const Assignment& assignment) {
  return QByteArray::fromStdString(test::targetOf(target).write(assignment).text);
}

}  // namespace

class TargetsForPeople : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void differencesFromTheBaseListComeFirst() {
    const PolicyPage page = targets::policy_page(withMarkup());
    QCOMPARE(page.modules.size(), std::size_t{8});
    QCOMPARE(page.modules[0].path, std::string("fc"));
    QCOMPARE(page.modules[0].different, std::size_t{1});
    QCOMPARE(page.modules[0].rows[0].treatment, std::string("float32"));
    QCOMPARE(page.modules[0].rows[0].base, std::string("bfloat16"));
    QCOMPARE(page.modules[0].rows[0].decided_by, std::string("sites[0]"));
    QCOMPARE(page.modules[1].path, std::string("head.norm"));
    QCOMPARE(page.modules[2].path, std::string("layer1.conv"));
    QCOMPARE(page.modules[2].different, std::size_t{0});
    QCOMPARE(page.modules.back().path, std::string("(root)"));
  }

  void rowsOfAModuleThatDifferComeFirst() {
    Policy policy = test::startingFrom(Base::kCudaAmp, formats::kBFloat16);
    policy.sites.resize(1);
    policy.sites[0].match = "head/aten::sum#0";
    policy.sites[0].format = formats::kFloat16;
    const PolicyPage page = targets::policy_page(test::assigned(policy));
    QCOMPARE(page.modules[0].path, std::string("head"));
    QCOMPARE(page.modules[0].rows[0].name, std::string("head/aten::sum#0"));
    QCOMPARE(page.modules[0].rows[1].name, std::string("head/aten::softmax#0"));
    QVERIFY(page.modules[0].rows[1].base.empty());
  }

  void aRuleForACallHasARow() {
    Policy policy = test::startingFrom(Base::kCudaAmp, formats::kBFloat16);
    policy.sites.resize(1);
    policy.sites[0].match = "cell/aten::linear#0";
    policy.sites[0].call = 4;
    const PolicyPage page = targets::policy_page(test::assigned(policy));
    QCOMPARE(page.modules[0].rows.size(), std::size_t{3});
    QCOMPARE(page.modules[0].rows[0].name, std::string("cell/aten::linear#0, only call 4"));
  }

  void thePageStatesPolicyScalerAndFindings() {
    for (const char* target : {"markdown", "html"}) {
      const QByteArray text = pageText(target, withMarkup());
      for (const char* part : {"bfloat16", "model.pt", "65536", "2 differ from the base list", "float32", "warning"}) {
        QVERIFY2(text.contains(part), (QByteArray(target) + " lacks " + part).constData());
      }
      QVERIFY(text.contains("aten::layer_norm"));
    }
  }

  void neitherPageCanBeReadBack() {
    QVERIFY(test::targetOf("markdown").read == nullptr);
    QVERIFY(test::targetOf("html").read == nullptr);
  }

  void textsOfThePolicyDoNotBecomeMarkupInMarkdown() {
    const QByteArray text = pageText("markdown", withMarkup());
    QVERIFY(text.contains("\\<script"));
    QVERIFY(!QByteArray(text).replace("\\<", "").contains('<'));
    QVERIFY(!text.contains('\x1b'));
    for (const QByteArray& line : text.split('\n')) {
      if (!line.startsWith('|')) continue;
      QByteArray unescaped = line;
      unescaped.replace("\\|", "");
      const auto cells = unescaped.count('|') - 1;
      QVERIFY2(cells == 5 || cells == 2, line.constData());  // op calls, changes of ops
    }
    QVERIFY(text.contains("was \\| too small \\| it \\<b\\>overflowed"));
  }

  void textsOfThePolicyDoNotBecomeMarkupInHtml() {
    const QByteArray text = pageText("html", withMarkup());
    QVERIFY(text.contains("&lt;script&gt;alert(&#39;1&#39;)"));
    for (const char* markup : {"<script", "<b>", "<i>"}) QVERIFY2(!text.contains(markup), markup);
    QVERIFY(!text.contains('\x1b'));
  }

  void theHtmlPageNeedsNothingElse() {
    const QByteArray text = pageText("html", withMarkup());
    QVERIFY(text.startsWith("<!DOCTYPE html>"));
    for (const char* outside : {"http:", "https:", "src=", "href=", "url(", "@import"}) {
      QVERIFY2(!text.contains(outside), outside);
    }
    QVERIFY(text.contains("default-src 'none'"));
    QVERIFY(text.contains("prefers-color-scheme: dark"));
    for (const char* tag : {"details", "table", "dl", "ul", "body", "html", "style", "head"}) {
      const QByteArray name = tag;
      const auto opened = text.count("<" + name + ">") + text.count("<" + name + " ");
      QVERIFY2(opened == text.count("</" + name + ">"), tag);
    }
  }

  void pagesOfEveryPolicyAreWritten() {
    for (const test::NamedPolicy& each : test::policiesOfEveryKind()) {
      const Assignment assignment = test::assigned(each.policy);
      const QByteArray text = pageText("html", assignment);
      for (const policy::SiteKey& key : assignment.keys) {
        QVERIFY2(text.contains(QByteArray::fromStdString(key.name())), each.name);
      }
    }
  }
};

BINADE_SUITE(TargetsForPeople);
#include "tst_people.moc"
