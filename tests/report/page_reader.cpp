// SPDX-License-Identifier: Apache-2.0
#include "tests/report/page_reader.h"

#include <QStringList>
#include <QXmlStreamReader>

namespace binade::test {

bool PageElement::hasClass(const QString& style) const {
  return attributes.value(QStringLiteral("class")).split(u' ').contains(style);
}

PageElement ReadPage::byId(const QString& id) const {
  for (const PageElement& each : elements) {
    if (each.id() == id) return each;
  }
  return {};
}

QList<PageElement> ReadPage::within(const QString& id, const QString& name) const {
  QList<PageElement> found;
  for (const PageElement& each : elements) {
    if (each.name != name) continue;
    for (const int outer : each.inside) {
      if (elements[outer].id() == id) found << each;
    }
  }
  return found;
}

QString ReadPage::section(const QString& heading) const {
  for (const PageElement& each : elements) {
    if (each.id() == heading && !each.inside.isEmpty()) return elements[each.inside.last()].text;
  }
  return {};
}

ReadPage readPage(const std::string& html) {
  ReadPage page;
  QXmlStreamReader reader(QByteArray::fromStdString(html));
  QList<int> open;
  while (!reader.atEnd()) {
    switch (reader.readNext()) {
      case QXmlStreamReader::StartElement: {
        PageElement element{reader.name().toString(), {}, {}, open};
        for (const QXmlStreamAttribute& each : reader.attributes())
          element.attributes.insert(each.name().toString(), each.value().toString());
        open << static_cast<int>(page.elements.size());
        page.elements << element;
        break;
      }
      case QXmlStreamReader::EndElement:
        open.removeLast();
        break;
      case QXmlStreamReader::Characters:
        for (const int index : open) page.elements[index].text += reader.text();
        break;
      default:
        break;
    }
  }
  if (reader.hasError()) page.error = QStringLiteral("line %1: %2").arg(reader.lineNumber()).arg(reader.errorString());
  return page;
}

QList<QPointF> pointsOf(const PageElement& line) {
  QList<QPointF> points;
  for (const QString& pair : line.attributes.value(QStringLiteral("points")).split(u' ')) {
    const QStringList numbers = pair.split(u',');
    if (numbers.size() == 2) points << QPointF(numbers[0].toDouble(), numbers[1].toDouble());
  }
  return points;
}

}  // namespace binade::test
