package io.sluice;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Who may know whom inside core, and what things may be called. */
class ArrowsTest {
  private static final JavaClasses CORE = new ClassFileImporter()
      .withImportOption(new ImportOption.DoNotIncludeTests())
      .importPackages("io.sluice");

  /** The one exception: see docs/decisions/0001-front-door.md. */
  private static final DescribedPredicate<JavaClass> FRONT_DOOR =
      type(Sluice.class).or(type(SluiceBuilder.class));

  private static final String WORDS_TO_AVOID =
      ".*(Util|Utils|Common|Helper|Manager|Impl|Base|Abstract|Dto|Service|Processor)($|\\$.*)";

  @Test
  void whatUsersSee_andTheStoreInterface_knowNoEngine() {
    noClasses()
        .that(resideInAPackage("io.sluice").or(resideInAPackage("io.sluice.store")))
        .and(DescribedPredicate.not(FRONT_DOOR))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.sluice.engine")
        .check(CORE);
  }

  @Test
  void engineAndMemoryStore_doNotKnowEachOther() {
    noClasses()
        .that()
        .resideInAPackage("io.sluice.memory")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.sluice.engine")
        .check(CORE);
    noClasses()
        .that()
        .resideInAPackage("io.sluice.engine")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.sluice.memory")
        .check(CORE);
    noClasses()
        .that(resideInAPackage("io.sluice").or(resideInAPackage("io.sluice.store")))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.sluice.memory")
        .check(CORE);
  }

  @Test
  void packages_haveNoCycles_beyondTheFrontDoor() {
    // io.sluice and io.sluice.store are one vocabulary in two packages: records of either name the
    // other.
    slices().matching("io.sluice.(engine|memory)..").should().beFreeOfCycles().check(CORE);
  }

  @Test
  void names_sayWhatAThingIs() {
    classes().should().haveNameNotMatching(WORDS_TO_AVOID).check(CORE);
    noClasses()
        .should()
        .resideInAnyPackage("..util..", "..common..", "..impl..")
        .check(CORE);
  }
}
