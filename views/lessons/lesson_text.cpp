// SPDX-License-Identifier: Apache-2.0
#include "views/lessons/lesson_text.h"

#include "views/theme.h"

#include <QDesktopServices>
#include <QFontMetricsF>
#include <QMouseEvent>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextFrame>
#include <QTextTable>
#include <QUrl>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace binade::views {

namespace {

constexpr int kParagraphGap = 8;  // px
constexpr int kLineHeight = 125;  // percent
constexpr int kListIndent = 20;   // px

struct Raised {
  int caret;   ///< position of `^`
  int length;  ///< of the exponent behind it
};

/// Powers in running text. Code keeps its characters.
std::vector<Raised> powersIn(const QTextDocument& document) {
  static const QRegularExpression power(QStringLiteral("(?<=[0-9A-Za-z)])\\^(-?[0-9]+|[a-z]\\b)"));
  std::vector<Raised> found;
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    for (auto each = block.begin(); !each.atEnd(); ++each) {
      const QTextFragment fragment = each.fragment();
      if (fragment.charFormat().fontFixedPitch()) continue;
      for (const QRegularExpressionMatch& match : power.globalMatch(fragment.text())) {
        found.push_back(
            {fragment.position() + static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength(1))});
      }
    }
  }
  return found;
}

void raisePowers(QTextDocument& document) {
  const auto powers = powersIn(document);
  QTextCharFormat raised;
  raised.setVerticalAlignment(QTextCharFormat::AlignSuperScript);
  // From the last one, so that positions stay valid.
  for (auto each = powers.rbegin(); each != powers.rend(); ++each) {
    QTextCursor cursor(&document);
    cursor.setPosition(each->caret);
    cursor.setPosition(each->caret + 1, QTextCursor::KeepAnchor);
    cursor.removeSelectedText();
    cursor.setPosition(each->caret + each->length, QTextCursor::KeepAnchor);
    cursor.mergeCharFormat(raised);
    const QString digits = cursor.selectedText();
    if (digits.startsWith(QLatin1Char('-'))) cursor.insertText(QChar(u'−') + digits.sliced(1), cursor.charFormat());
  }
}

void setCodeLook(QTextDocument& document, int pixels) {
  std::vector<std::pair<int, int>> code;
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    for (auto each = block.begin(); !each.atEnd(); ++each) {
      const QTextFragment fragment = each.fragment();
      if (fragment.charFormat().fontFixedPitch()) code.emplace_back(fragment.position(), fragment.length());
    }
  }
  QTextCharFormat look;
  look.setFontFamilies({QStringLiteral("DejaVu Sans Mono"), QStringLiteral("monospace")});
  look.setProperty(QTextFormat::FontPixelSize, pixels - 1);
  look.setBackground(colors().otherRow);
  for (const auto& [position, length] : code) {
    QTextCursor cursor(&document);
    cursor.setPosition(position);
    cursor.setPosition(position + length, QTextCursor::KeepAnchor);
    cursor.mergeCharFormat(look);
  }
}

/// A property of blocks that are lines of code.
constexpr int kCodeLine = QTextFormat::UserProperty + 1;

bool isCodeLine(const QTextBlock& block) {
  return block.isValid() && block.blockFormat().boolProperty(kCodeLine);
}

void setTableLook(QTextDocument& document) {
  for (QTextFrame* frame : document.rootFrame()->childFrames()) {
    auto* table = qobject_cast<QTextTable*>(frame);
    if (table == nullptr) continue;
    QTextTableFormat format = table->format();
    format.setBorder(1);
    format.setBorderBrush(colors().softLine);
    format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    format.setBorderCollapse(true);
    format.setCellPadding(4);
    format.setCellSpacing(0);
    format.setBottomMargin(kParagraphGap);
    table->setFormat(format);
  }
}

}  // namespace

void readLessonText(QTextDocument& document, const QString& markdown, int pixels, QFont::Weight weight) {
  const QFont font = textFont(pixels, weight);
  document.setDocumentMargin(0);
  document.setIndentWidth(kListIndent);
  document.setDefaultFont(font);
  QTextOption option = document.defaultTextOption();
  option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  document.setDefaultTextOption(option);
  QTextDocument::MarkdownFeatures features(QTextDocument::MarkdownDialectGitHub);
  features |= QTextDocument::MarkdownNoHTML;
  document.setMarkdown(markdown, features);
  raisePowers(document);
  setCodeLook(document, pixels);
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    QTextCursor cursor(block);
    QTextBlockFormat format;
    const auto isCode = [](const QTextBlock& one) { return one.blockFormat().nonBreakableLines(); };
    const bool inCode = isCode(block) && isCode(block.next());
    format.setLineHeight(kLineHeight, QTextBlockFormat::ProportionalHeight);
    format.setTopMargin(0);
    if (isCode(block)) format.setProperty(kCodeLine, true);
    format.setNonBreakableLines(false);  // fitCode() keeps them whole: a text has no scroll bar
    const bool last = !block.next().isValid();
    const bool cell = cursor.currentTable() != nullptr;
    const bool inList = block.textList() != nullptr && block.next().textList() != nullptr;
    format.setBottomMargin(last || cell || inCode ? 0 : inList ? kParagraphGap / 2 : kParagraphGap);
    cursor.mergeBlockFormat(format);
  }
  setTableLook(document);
}

void fitCode(QTextDocument& document, double width, int pixels) {
  constexpr int kLeastCode = 9;     // px
  constexpr int kHangingCode = 64;  // px: the second line of what is still too long
  QFont font(QStringLiteral("DejaVu Sans Mono"));
  font.setStyleHint(QFont::Monospace);
  for (QTextBlock first = document.begin(); first.isValid(); first = first.next()) {
    if (!isCodeLine(first) || isCodeLine(first.previous())) continue;
    int size = pixels - 1;
    double widest = 0;
    const auto measure = [&] {
      font.setPixelSize(size);
      const QFontMetricsF metrics(font);
      widest = 0;
      for (QTextBlock line = first; isCodeLine(line); line = line.next())
        widest = std::max(widest, metrics.horizontalAdvance(line.text()));
      return widest > width;
    };
    while (measure() && size > kLeastCode) --size;
    const double hanging = widest > width ? kHangingCode : 0;
    for (QTextBlock line = first; isCodeLine(line); line = line.next()) {
      QTextCursor cursor(line);
      if (line.blockFormat().leftMargin() != hanging) {
        QTextBlockFormat format;
        format.setLeftMargin(hanging);
        format.setTextIndent(-hanging);
        cursor.mergeBlockFormat(format);
      }
      cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
      if (!cursor.hasSelection() || cursor.charFormat().intProperty(QTextFormat::FontPixelSize) == size) continue;
      QTextCharFormat format;
      format.setProperty(QTextFormat::FontPixelSize, size);
      cursor.mergeCharFormat(format);
    }
  }
}

LessonText::LessonText(const QString& markdown, int pixels, QFont::Weight weight, QWidget* parent)
    : QTextEdit(parent), pixels_(pixels), weight_(weight) {
  setReadOnly(true);
  setFrameShape(QFrame::NoFrame);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  // The page scrolls with the keys; a text takes the focus only to select in it.
  setFocusPolicy(Qt::ClickFocus);
  setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::LinksAccessibleByMouse);
  setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  viewport()->setAutoFillBackground(false);
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  setText(markdown);
  connect(themeEvents(), &ThemeEvents::themeChanged, this, &LessonText::read);
}

void LessonText::setText(const QString& markdown) {
  markdown_ = markdown;
  read();
}

void LessonText::read() {
  readLessonText(*document(), markdown_, pixels_, weight_);
  fitCode(*document(), viewport()->width(), pixels_);
  setAccessibleName(document()->toPlainText());
  updateGeometry();
}

int LessonText::heightFor(int width) const {
  // Another document, because the widget's own has the present width.
  const std::unique_ptr<QTextDocument> other(document()->clone());
  other->setDocumentMargin(0);
  fitCode(*other, width, pixels_);
  other->setTextWidth(width);
  return static_cast<int>(std::ceil(other->size().height())) + 1;
}

QSize LessonText::sizeHint() const {
  constexpr int kUsual = 360;
  return {kUsual, heightFor(kUsual)};
}

void LessonText::resizeEvent(QResizeEvent* event) {
  fitCode(*document(), viewport()->width(), pixels_);
  QTextEdit::resizeEvent(event);
}

void LessonText::wheelEvent(QWheelEvent* event) {
  event->ignore();  // the page scrolls
}

void LessonText::mouseReleaseEvent(QMouseEvent* event) {
  QTextEdit::mouseReleaseEvent(event);
  const QUrl link(anchorAt(event->pos()));
  const bool selected = textCursor().hasSelection();
  if (!selected && (link.scheme() == QLatin1String("https") || link.scheme() == QLatin1String("http"))) {
    QDesktopServices::openUrl(link);
  }
}

}  // namespace binade::views
