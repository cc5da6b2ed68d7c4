// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/printable.h"
#include "tests/support/suite.h"

#include <string>

namespace {

using namespace binade;

// Texts of files in messages.
class Printable : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aBeginningEndsBetweenCharacters() {
    const std::string text = "aµ…😀b";  // 1, 2, 3, 4 and 1 bytes
    const std::string whole[] = {"", "a", "a", "aµ", "aµ", "aµ", "aµ…", "aµ…", "aµ…", "aµ…", "aµ…😀"};
    for (std::size_t most = 0; most < text.size(); ++most) {
      QCOMPARE(std::string(formats::beginning(text, most)), whole[most]);
      QVERIFY(formats::is_utf8(formats::beginning(text, most)));
    }
    QCOMPARE(std::string(formats::beginning(text, text.size())), text);
    QCOMPARE(std::string(formats::beginning(text, 1000)), text);
    QCOMPARE(std::string(formats::beginning("", 0)), std::string());
  }

  // A text that is no UTF-8 is cut too, and nothing is read outside of it.
  void aBeginningOfOtherBytesIsNoLonger() {
    const std::string bytes(50, '\x80');
    QVERIFY(formats::beginning(bytes, 40).size() <= 40);
    QCOMPARE(std::string(formats::beginning("\xff\xfe\xff", 2)), std::string("\xff\xfe"));
  }

  void whatIsNoTextIsEscaped() { QCOMPARE(formats::printable("a\x1b[31m\xffµ"), std::string("a\\x1b[31m\\xffµ")); }
};

BINADE_SUITE(Printable);

}  // namespace

#include "tst_printable.moc"
