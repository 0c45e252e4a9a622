// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/i18n/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>

#include <cstddef>
#include <utility>

#include "ui/i18n/strategy_words.h"
#include "ui/i18n/written_words.h"

namespace lab::resources {

extern const unsigned char germanTexts[], englishTexts[];
extern const std::size_t germanTextsSize, englishTextsSize;

}  // namespace lab::resources

namespace lab::language {
namespace {

struct Present {
  QString name;
  std::vector<std::unique_ptr<QTranslator>> translators;
};

Present& present() {
  static Present now;
  return now;
}

std::unique_ptr<QTranslator> ofBytes(const unsigned char* bytes, std::size_t size) {
  auto made = std::make_unique<QTranslator>();
  return made->load(bytes, static_cast<int>(size)) ? std::move(made) : nullptr;
}

QString systems() {
  for (const QString& tag : QLocale::system().uiLanguages()) {
    const QString name = tag.section(QLatin1Char('-'), 0, 0);
    if (names().contains(name)) return name;
  }
  return QStringLiteral("en");
}

// Numbers follow the system's locale if it has the language, as Switzerland's format differs from Germany's.
QLocale localeOf(QLocale::Language language, QLocale::Territory territory) {
  const QLocale system = QLocale::system();
  return system.language() == language ? system : QLocale(language, territory);
}

}  // namespace

std::vector<std::unique_ptr<QTranslator>> translatorsOf(const QString& name) {
  std::vector<std::unique_ptr<QTranslator>> made;
  if (name == QStringLiteral("de")) {
    made.push_back(ofBytes(resources::germanTexts, resources::germanTextsSize));
    made.push_back(std::make_unique<StrategyTranslator>("de"));
    made.push_back(std::make_unique<WrittenTranslator>("de"));
    // Qt's own translation (the buttons of its dialogs), if the system has it.
    auto qt = std::make_unique<QTranslator>();
    if (qt->load(QStringLiteral("qtbase_de"), QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
      made.push_back(std::move(qt));
  } else {
    made.push_back(ofBytes(resources::englishTexts, resources::englishTextsSize));  // plurals
  }
  std::erase(made, nullptr);
  return made;
}

void use(const QString& name) {
  Present& now = present();
  for (const auto& translator : now.translators) QCoreApplication::removeTranslator(translator.get());
  now.translators.clear();
  now.name = names().contains(name) ? name : systems();
  now.translators = translatorsOf(now.name);
  QLocale::setDefault(now.name == QStringLiteral("de") ? localeOf(QLocale::German, QLocale::Germany)
                                                       : localeOf(QLocale::English, QLocale::UnitedStates));
  // Qt asks the last one installed first.
  for (auto it = now.translators.rbegin(); it != now.translators.rend(); ++it)
    QCoreApplication::installTranslator(it->get());
}

QString used() {
  return present().name;
}

QStringList names() {
  return {QStringLiteral("en"), QStringLiteral("de")};
}

QString ownName(const QString& name) {
  return name == QStringLiteral("de") ? QStringLiteral("Deutsch") : QStringLiteral("English");
}

}  // namespace lab::language
