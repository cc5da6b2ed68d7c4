// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/shell_word.h"
#include "tests/support/suite.h"

using namespace binade;

namespace {

class ShellWords : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void wordsOfOtherCharactersAreQuoted() {
    for (const char* plain : {"run.json", "--ranks", "a/b-c_d.pt", "host:5", "x=1,2", "a+b@c%d"})
      QCOMPARE(formats::shell_word(plain), std::string(plain));
    QCOMPARE(formats::shell_word(""), std::string("''"));
    QCOMPARE(formats::shell_word("two words"), std::string("'two words'"));
    QCOMPARE(formats::shell_word("$(rm x);`y`"), std::string("'$(rm x);`y`'"));
    QCOMPARE(formats::shell_word("it's"), std::string("'it'\\''s'"));
    QCOMPARE(formats::shell_word("caf\xc3\xa9"), std::string("'caf\xc3\xa9'"));
  }
};

BINADE_SUITE(ShellWords);

}  // namespace

#include "tst_shell_word.moc"
